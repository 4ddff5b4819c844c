// Prints the closing line of `.ci/run` from vitest's JSON report: "N passed, N failed".
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync('coverage/test-report.json', 'utf8'));
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`);
