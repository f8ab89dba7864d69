// Prints `N passed, N failed` from the JSON report of vitest, which .ci/run asks for.
// A file that could not be loaded and a run that broke count as failed.
import * as fs from 'node:fs'

const text = fs.readFileSync(process.argv[2] ?? '', 'utf8')
const report = text === '' ? { success: false } : JSON.parse(text)
const { numPassedTests: passed = 0, numFailedTests = 0, testResults = [] } = report
const unloaded = testResults.filter((file) => {
  return file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
})
const failed = numFailedTests + unloaded.length
console.log(`${passed} passed, ${report.success ? failed : Math.max(failed, 1)} failed`)
