// The pages that the frame, the palette and the keys lead to.
export const PAGES = [
  { to: '/', name: 'problems', key: 'p' },
  { to: '/operators', name: 'merchants', key: 'o' },
  { to: '/queues', name: 'queues', key: 'c' },
  { to: '/invitations', name: 'invitations', key: 'i' },
  { to: '/outages', name: 'outages', key: 'u' },
  { to: '/events', name: 'events', key: 'e' },
  { to: '/company', name: 'company', key: 'm' },
  { to: '/operations', name: 'operations', key: 'a' },
  { to: '/me', name: 'me', key: 's' },
] as const

/** Of the top bar; the others are in its menu. */
export const MAIN_PAGES = 4
