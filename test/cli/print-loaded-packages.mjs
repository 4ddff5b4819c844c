// To be given to node with `--import`: says at the end, on standard error, which packages were loaded.
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  load: (url, context, nextLoad) => {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return nextLoad(url, context);
  },
});
process.on('exit', () => console.error(`packages: ${[...packages].join(' ')}`));
