// Begins the portal: its pages by address, each loaded when it is opened.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { ApiError } from './api/client.js'
import { firstSession, LoggedIn, Speaker } from './api/session.js'
import { Broken } from './pages/broken.js'
import './generated/tokens.css'
import './style/tokens.css'
import './style/base.css'
import './style/page.css'
import { chosenLanguage, textOf } from './text/index.js'
import { Frame } from './ui/frame.js'
import { showRows } from './ui/rows.js'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // what is refused stays refused; a server that does not answer or is busy is asked again
      retry: (count, error) =>
        count < 3 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: true,
    },
  },
})

const page = (load: () => Promise<{ Page: ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).Page }),
})

const router = createBrowserRouter(
  [
    {
      element: (
        <Speaker>
          <Outlet />
        </Speaker>
      ),
      hydrateFallbackElement: <></>,
      errorElement: (
        <Speaker>
          <Broken />
        </Speaker>
      ),
      children: [
        { path: 'login', ...page(() => import('./pages/login.js')) },
        { path: 'password', ...page(() => import('./pages/password.js')) },
        {
          element: (
            <LoggedIn>
              <Frame />
            </LoggedIn>
          ),
          errorElement: <Broken />,
          children: [
            { index: true, ...page(() => import('./pages/problems.js')) },
            { path: 'operators', ...page(() => import('./pages/operators.js')) },
            { path: 'operators/:operatorId', ...page(() => import('./pages/operator.js')) },
            {
              path: 'operators/:operatorId/cashboxes/:cashBoxId',
              ...page(() => import('./pages/cash-box.js')),
            },
            { path: 'queues', ...page(() => import('./pages/queues.js')) },
            { path: 'queues/:queueId', ...page(() => import('./pages/register.js')) },
            { path: 'receipts/:queueId/:receiptId', ...page(() => import('./pages/receipt.js')) },
            { path: 'lab', ...page(() => import('./pages/lab.js')) },
            { path: 'exports', ...page(() => import('./pages/exports.js')) },
            { path: 'reports', ...page(() => import('./pages/reports.js')) },
            {
              path: 'queues/:queueId/registration',
              ...page(() => import('./pages/registration.js')),
            },
            { path: 'queues/:queueId/outage', ...page(() => import('./pages/outage.js')) },
            { path: 'queues/:queueId/switch', ...page(() => import('./pages/switch.js')) },
            { path: 'scus', ...page(() => import('./pages/scus.js')) },
            { path: 'operators/:operatorId/scus/:scuId', ...page(() => import('./pages/scu.js')) },
            {
              path: 'operators/:operatorId/outlets/import',
              ...page(() => import('./pages/outlet-import.js')),
            },
            {
              path: 'operators/:operatorId/possystems',
              ...page(() => import('./pages/pos-systems.js')),
            },
            { path: 'cashboxes', ...page(() => import('./pages/cash-boxes.js')) },
            { path: 'rollout', ...page(() => import('./pages/rollout.js')) },
            { path: 'operators/:operatorId/look', ...page(() => import('./pages/look.js')) },
            { path: 'operators/:operatorId/privacy', ...page(() => import('./pages/privacy.js')) },
            { path: 'operators/:operatorId/place', ...page(() => import('./pages/place.js')) },
            { path: 'queues/:queueId/journals', ...page(() => import('./pages/journals.js')) },
            { path: 'webhooks/:webhookId', ...page(() => import('./pages/webhook.js')) },
            { path: 'events/types', ...page(() => import('./pages/event-types.js')) },
            { path: 'import/invitations', ...page(() => import('./pages/import.js')) },
            { path: 'outages', ...page(() => import('./pages/outages.js')) },
            { path: 'jobs/:jobId', ...page(() => import('./pages/job.js')) },
            { path: 'exports/:inspectionId', ...page(() => import('./pages/bundle.js')) },
            { path: 'backups/:backupId', ...page(() => import('./pages/backup.js')) },
            { path: 'events/:seq', ...page(() => import('./pages/event.js')) },
            { path: 'operators/:operatorId/parts', ...page(() => import('./pages/parts.js')) },
            { path: 'operators/:operatorId/wallets', ...page(() => import('./pages/wallets.js')) },
            {
              path: 'operators/:operatorId/queues/:queueId',
              ...page(() => import('./pages/queue-part.js')),
            },
            { path: 'jobs', ...page(() => import('./pages/jobs.js')) },
            { path: 'invitations', ...page(() => import('./pages/invitations.js')) },
            { path: 'onboard/all', ...page(() => import('./pages/wizard.js')) },
            { path: 'onboard', ...page(() => import('./pages/onboard.js')) },
            { path: 'events', ...page(() => import('./pages/events.js')) },
            { path: 'api-log', ...page(() => import('./pages/api-log.js')) },
            { path: 'api-log/:callId', ...page(() => import('./pages/api-call.js')) },
            { path: 'company', ...page(() => import('./pages/company.js')) },
            { path: 'history', ...page(() => import('./pages/history.js')) },
            { path: 'me', ...page(() => import('./pages/me.js')) },
            { path: 'operations', ...page(() => import('./pages/operations.js')) },
            { path: 'run/:operationId', ...page(() => import('./pages/run.js')) },
            { path: '*', ...page(() => import('./pages/missing.js')) },
          ],
        },
      ],
    },
  ],
  { basename: '/portal' },
)

/** A server that is slow to say who is logged in: the page says that it waits. */
const PATIENCE_MS = 1_000

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])

const pageIsThere = (): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.initialized) return resolve()
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })

/** What the first view consists of is on its way at once, and painted once: when all of it is there. */
async function begin(root: HTMLElement): Promise<void> {
  const texts = textOf(chosenLanguage(null))
  const session = firstSession(client).then((found) =>
    textOf(chosenLanguage(found?.person.language)),
  )
  await within(PATIENCE_MS, Promise.allSettled([texts, session, pageIsThere()]))
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

showRows()
const root = document.getElementById('root')
if (root !== null) void begin(root)
