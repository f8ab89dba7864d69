// Where a problem is ended: one page for each thing that can have one.
interface Problem {
  kind: string
  /** kind/id */
  subject: string
  operatorId: string
  cashBoxId: string | null
}

const SUBJECTS: Readonly<Record<string, (problem: Problem, id: string) => string>> = {
  queue: (_, id) => `/queues/${id}`,
  scu: ({ operatorId }, id) => `/operators/${operatorId}/scus/${id}`,
  cashbox: ({ operatorId }, id) => `/operators/${operatorId}/cashboxes/${id}`,
  submission: ({ operatorId }) => `/reports?operatorId=${operatorId}`,
  connection: () => '/invitations?view=history',
  order: () => '/rollout',
  entitlement: () => '/rollout',
  webhook: (_, id) => `/webhooks/${id}`,
  job: () => '/jobs',
  backup: () => '/exports',
}
const KINDS: Readonly<Record<string, (problem: Problem, id: string) => string>> = {
  outage: (_, id) => `/queues/${id}/outage`,
  flapping: (_, id) => `/queues/${id}/outage`,
}

export function placeOf(problem: Problem): string {
  const { kind, subject, operatorId, cashBoxId } = problem
  const [thing = '', id = ''] = subject.split('/')
  const place = KINDS[kind] ?? SUBJECTS[thing]
  if (place !== undefined) return place(problem, id)
  const at = `/operators/${operatorId}`
  return cashBoxId === null ? at : `${at}/cashboxes/${cashBoxId}`
}
