// What stands around every page: where one is, as whom, and the ways to everywhere.
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { ApiError, call } from '../api/client.js'
import { SESSION, useNewSession, useSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { Confirming } from './confirm.js'
import { Dialog } from './dialog.js'
import { whenIdle } from './idle.js'
import { KeySheet, useKeys } from './keys.js'
import { LiveBadge, LiveEvents } from './live.js'
import { Mark } from './mark.js'
import { Menu } from './menu.js'
import { MAIN_PAGES, pagesFor } from './pages.js'
import { Empty, useTextOf } from './states.js'
import { Toasts, useToast } from './toast.js'

// loaded when they are opened
const Drawer = lazy(async () => ({ default: (await import('./drawer.js')).Drawer }))
const loadPalette = () => import('./palette.js')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

type Open = 'search' | 'drawer' | 'help' | undefined

export function Frame() {
  const t = useText()
  const { account, environment } = useSession()
  const [open, setOpen] = useState<Open>()
  const location = useLocation()
  const main = useRef<HTMLElement>(null)
  const close = () => setOpen(undefined)
  const actions = useMemo(
    () => ({
      search: () => setOpen('search'),
      drawer: () => setOpen('drawer'),
      help: () => setOpen('help'),
    }),
    [],
  )
  useKeys(actions)
  // who presses a key types on at once; what is looked at comes first
  useEffect(() => whenIdle(() => void loadPalette()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new page, not with its filters
  useEffect(() => {
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [location.pathname])
  return (
    <LiveEvents>
      <Toasts>
        <Confirming>
          <a className="skip" href="#content">
            {t.nav.skip}
          </a>
          <header>
            {environment === 'sandbox' && <div className="band">{t.nav.sandbox}</div>}
            <Top onSearch={actions.search} onDrawer={actions.drawer} />
          </header>
          <main id="content" ref={main} tabIndex={-1}>
            {account === null || account.role === 'None' ? (
              <Empty isPage title={t.login.nobody}>
                {t.login.nobodyText}
              </Empty>
            ) : (
              <Outlet />
            )}
          </main>
          <Suspense>
            {open === 'search' && <Palette onClose={close} />}
            {open === 'drawer' && <Drawer onClose={close} />}
          </Suspense>
          {open === 'help' && <KeySheet onClose={close} />}
          <OtherAccount />
        </Confirming>
      </Toasts>
    </LiveEvents>
  )
}

/** The pages of whoever works for this account, as they are called there. */
function useOwnPages() {
  const t = useText()
  const { account } = useSession()
  const roles = account?.roles ?? []
  const merchants = roles.includes('PosDealer') ? t.nav.merchants : t.merchant.title
  return pagesFor(roles).map(({ to, name }) => ({
    ...{ to, title: name === 'merchants' ? merchants : t.nav[name] },
  }))
}

function Top({ onSearch, onDrawer }: { onSearch(): void; onDrawer(): void }) {
  const t = useText()
  const pages = useOwnPages()
  return (
    <div className="top">
      <NavLink to="/" className="brand">
        <Mark />
        <span>fiskalwerk</span>
      </NavLink>
      <nav aria-label={t.nav.main}>
        {pages.slice(0, MAIN_PAGES).map(({ to, title }) => (
          <NavLink key={to} to={to} end={to === '/'}>
            {title}
          </NavLink>
        ))}
        <More />
      </nav>
      <LiveBadge />
      <button type="button" onClick={onSearch}>
        {t.common.search} <kbd>/</kbd>
      </button>
      <button type="button" onClick={onDrawer}>
        {t.common.api} <kbd>c</kbd>
      </button>
      <Who />
    </div>
  )
}

function More() {
  const t = useText()
  return (
    <Menu label={t.nav.more} name={t.nav.more}>
      {useOwnPages()
        .slice(MAIN_PAGES, -1)
        .map(({ to, title }) => (
          <NavLink key={to} to={to}>
            {title}
          </NavLink>
        ))}
    </Menu>
  )
}

function Who() {
  const t = useText()
  const { person, account, accounts } = useSession()
  const newSession = useNewSession()
  const navigate = useNavigate()
  const toast = useToast()
  const textOf = useTextOf()
  const switchTo = async (accountId: string) => {
    await newSession(await call('switchAccount', { body: { accountId } }))
    await navigate('/')
  }
  const leave = async () => {
    try {
      await call('logOut', {})
    } catch (error) {
      // whose session has ended already is out
      const isOut = error instanceof ApiError && error.status === 401
      if (!isOut) return toast({ text: textOf(error), isFault: true })
    }
    // nothing of what was shown stays in the memory of the page
    location.assign('/portal/login')
  }
  return (
    <div className="who">
      <span className="company" title={account?.name}>
        {account?.name}
      </span>
      <Menu label={<Name of={person.name === '' ? person.email : person.name} />} name={t.nav.me}>
        {accounts
          .filter(({ accountId }) => accountId !== account?.accountId)
          .map((one) => (
            <button key={one.accountId} type="button" onClick={() => void switchTo(one.accountId)}>
              {t.me.accounts} {one.name}
            </button>
          ))}
        <NavLink to="/me">{t.nav.me}</NavLink>
        <button type="button" onClick={() => void leave()}>
          {t.nav.logout}
        </button>
      </Menu>
    </div>
  )
}

/** On a phone by its letters, that the head is one line and the ways; readers hear all of it. */
function Name({ of }: { of: string }) {
  const letters = of.split(/[\s@.-]+/).map(([letter = '']) => letter)
  return (
    <>
      <span className="long">{of}</span>
      <span className="letters" aria-hidden="true">
        {letters.slice(0, 2).join('').toUpperCase()}
      </span>
    </>
  )
}

/** Another tab has gone on to another account: nothing of this page may change anything there. */
function OtherAccount() {
  const t = useText()
  const client = useQueryClient()
  const [isOther, setOther] = useState(false)
  useEffect(() => {
    const told = (error: unknown) => {
      if (!(error instanceof ApiError)) return
      if (error.code === 'AccountChanged') setOther(true)
      if (error.code === 'SessionRequired') client.setQueryData(SESSION, null)
    }
    const stopQueries = client.getQueryCache().subscribe(({ query }) => told(query.state.error))
    const rejected = ({ detail }: CustomEvent<unknown>) => told(detail)
    addEventListener('api-error', rejected as EventListener)
    return () => {
      stopQueries()
      removeEventListener('api-error', rejected as EventListener)
    }
  }, [client])
  if (!isOther) return null
  return (
    <Dialog title={t.switched.title} onClose={() => location.reload()}>
      <p>{t.switched.text}</p>
      <button type="button" className="primary" onClick={() => location.reload()}>
        {t.switched.reload}
      </button>
    </Dialog>
  )
}
