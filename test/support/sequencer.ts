// The order of the test files: one project after the other, since a worker that goes from one to
// the next loads the whole program anew; in each the longest begin first, the shortest come last,
// so that the workers end together.
import * as path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than the others of its project, the longest first. */
export const LONGEST = [
  ...['browser/portal', 'browser/portal-walks', 'browser/portal-day', 'browser/portal-rights'],
  ...['docs-blocks', 'examples', 'browser/receipt-page', 'browser/portal-jobs', 'story/crash'],
  ...['story/market-new', 'browser/docs', 'story/cut-calls', 'story/exports-beside'],
  ...['story/de-crash', 'cli/serve', 'story/inspections-killed', 'story/jobs-killed', 'tidy'],
  ...['story/webhooks-killed', 'scripts/setup', 'story/doors', 'story/import-progress'],
  ...['story/local-middleware', 'browser/portal-first-day', 'story/messages'],
  ...['story/stalled-uploads', 'story/rolling', 'story/long-payment', 'story/uploads-model'],
  ...['api/platform/inspections', 'core/receipts/rendering', 'core/journal/memory'],
  ...['core/message/crash', 'core/message/deliver', 'api/dealer/upload-broken'],
  ...['api/possystem/issued-actions', 'api/documents', 'api/dealer/contract/access'],
  ...['core/payment/stopping', 'api/portal/drawer', 'api/middleware/soap-memory'],
  ...['render/hostile', 'render/samples', 'model/large-requests'],
  ...['verify/de/dsfinvk-receipts', 'market/es/schema', 'render/pdf'],
].map((name) => `test/${name}.test.ts`)
const PROJECTS = ['story', 'api', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const name = path.relative(this.ctx.config.root, moduleId).replaceAll(path.sep, '/')
      const place = LONGEST.indexOf(name)
      return place < 0 ? LONGEST.length : place
    }
    const turnOf = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name)
    // of the others: what took long the last time
    const known = await super.sort(files)
    return known.sort((one, other) => turnOf(one) - turnOf(other) || placeOf(one) - placeOf(other))
  }
}
