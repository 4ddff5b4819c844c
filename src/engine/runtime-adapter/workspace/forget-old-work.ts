import { WORK_KEPT_DAYS } from '../../../domain/run.ts';
import { runGit, textOf } from '../../../git/run-git.ts';

const DAY_S = 24 * 60 * 60;

/** Failing costs nothing but space, and agents can reach what is looked at here. */
const exitCodes = [0, 1, 128];

/** Removes unfinished work under `refs/decree/runs` that nobody has come for. `now` is in epoch ms. */
export async function forgetOldWork(gitDir: string, now: number): Promise<void> {
  const format = '--format=%(committerdate:unix) %(refname)';
  const listed = textOf(await runGit(['for-each-ref', format, 'refs/decree/runs/'], { cwd: gitDir, exitCodes }));
  const oldest = now / 1000 - WORK_KEPT_DAYS * DAY_S;
  const old = listed.split('\n').flatMap((line) => {
    const [seconds, ref] = line.split(' ');
    // What is no commit has no date, and is none of ours.
    return ref !== undefined && seconds !== '' && Number(seconds) < oldest ? [`delete ${ref}\n`] : [];
  });
  if (old.length > 0) await runGit(['update-ref', '--stdin'], { cwd: gitDir, exitCodes, input: old.join('') });
}
