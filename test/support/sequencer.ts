// The order of the test files: one project after the other, since a worker that goes from one to
// the next loads the whole program anew; in each the longest begin first, the shortest come last,
// so that the workers end together. Files that mostly wait lie between the others: side by side
// they would leave the machine idle.
import * as path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const placed = (names: readonly string[]) => names.map((name) => `test/${name}.test.ts`)

/** What takes longer than the others of its project, the longest first. */
const LONGEST = placed([
  ...['browser/portal', 'docs-blocks', 'examples', 'story/inspections-many', 'story/devices'],
  ...['browser/portal-walks', 'browser/portal-rights', 'story/market-new', 'story/crash'],
  ...['browser/portal-day', 'browser/docs', 'browser/receipt-page', 'story/jobs-killed'],
  ...['browser/portal-jobs', 'story/cut-calls', 'story/standby', 'story/inspections-nights'],
  ...['story/long-payment', 'market/de/devices/long-export', 'browser/receipt-samples'],
  ...['story/exports-beside', 'story/de-crash', 'story/rolling', 'story/outage-servers'],
  ...['story/de-shared-verified', 'story/de-shared-tse', 'cli/serve', 'story/inspections-killed'],
  ...['tidy', 'story/webhooks-killed', 'scripts/setup', 'story/doors', 'story/import-progress'],
  ...['story/local-middleware', 'browser/portal-first-day', 'story/messages'],
  ...['story/stalled-uploads', 'story/uploads-model', 'story/large-bodies'],
  ...['api/platform/inspections', 'core/receipts/rendering', 'core/journal/memory'],
  ...['core/message/crash', 'core/audit/check/live', 'api/documents', 'api/portal/drawer'],
  ...['api/dealer/contract/works', 'api/dealer/contract/access', 'api/middleware/soap-memory'],
  ...['render/hostile', 'render/samples', 'model/large-requests'],
  ...['verify/de/dsfinvk-receipts', 'market/es/schema', 'render/pdf'],
])
/** What leaves the processor to others for more than nine tenths of its time. */
const WAITING = placed([
  ...['core/message/deliver', 'core/payment/stopping', 'api/shared/ready'],
  ...['api/possystem/long-payment', 'api/platform/webhook-keys', 'core/sign/bad-network'],
  ...['core/operation/ends', 'api/possystem/events', 'core/event/autopilot-servers'],
  ...['core/sign/unknown-fate', 'api/possystem/away', 'jobs/runner', 'api/middleware/limits'],
  ...['api/middleware/soap-hostile', 'api/middleware/grpc-hostile', 'api/shared/metrics'],
  ...['api/dealer/upload-broken', 'core/operation/other-spelling', 'core/sign/remote-tse'],
])
const PROJECTS = ['story', 'api', 'unit']

/** These between those, evenly over the first three quarters: none of them ends the run. */
function between<T>(these: readonly T[], those: readonly T[]): T[] {
  const step = Math.max(1, Math.floor((those.length * 3) / 4 / (these.length + 1)))
  const rest = [...these]
  const mixed = those.flatMap((one, at) =>
    at % step === step - 1 ? [one, ...rest.splice(0, 1)] : [one],
  )
  return [...mixed, ...rest]
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const nameOf = ({ moduleId }: TestSpecification): string =>
      path.relative(this.ctx.config.root, moduleId).replaceAll(path.sep, '/')
    const placeIn = (list: readonly string[], file: TestSpecification): number => {
      const place = list.indexOf(nameOf(file))
      return place < 0 ? list.length : place
    }
    // of those that are not named: what took long the last time
    const known = await super.sort(files)
    return PROJECTS.flatMap((name) => {
      const own = known.filter(({ project }) => project.name === name)
      const waits = (file: TestSpecification) => WAITING.includes(nameOf(file))
      const ordered = (list: readonly string[], some: TestSpecification[]) =>
        some.sort((one, other) => placeIn(list, one) - placeIn(list, other))
      const others = ordered(
        LONGEST,
        own.filter((file) => !waits(file)),
      )
      return between(ordered(WAITING, own.filter(waits)), others)
    })
  }
}
