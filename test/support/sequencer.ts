// The order of the test files: the longest begin first, the shortest come last, so that the workers
// end together.
import * as path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than the others of its project, the longest first. */
export const LONGEST = [
  'test/browser/portal.test.ts',
  'test/story/cut-calls.test.ts',
  'test/browser/receipt-page.test.ts',
  'test/docs-blocks.test.ts',
  'test/examples.test.ts',
  'test/story/uploads-model.test.ts',
  'test/story/de-crash.test.ts',
  'test/story/crash.test.ts',
  'test/story/messages.test.ts',
  'test/core/journal/memory.test.ts',
  'test/browser/docs.test.ts',
  'test/scripts/setup.test.ts',
  'test/api/middleware/soap-memory.test.ts',
]
const PROJECTS = ['story', 'api', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const name = path.relative(this.ctx.config.root, moduleId).replaceAll(path.sep, '/')
      const place = LONGEST.indexOf(name)
      return place < 0 ? LONGEST.length + PROJECTS.indexOf(project.name) : place
    }
    // within a project: what took long the last time
    const known = await super.sort(files)
    return known.sort((one, other) => placeOf(one) - placeOf(other))
  }
}
