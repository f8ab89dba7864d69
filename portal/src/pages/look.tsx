// How receipts of a merchant look: what is typed is seen at once, on three widths of paper.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useEffect, useId, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call, fetchFile } from '../api/client.js'
import { readJson } from '../api/json.js'
import { useRole } from '../api/session.js'
import type { Input, Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { Loaded } from '../ui/list.js'
import { Empty, ErrorNote } from '../ui/states.js'

type Settings = Input<'putReceiptSettings'>['body']
const WIDTHS = [80, 58, 48] as const
type Width = (typeof WIDTHS)[number]
const MOST_BYTES = 200_000
const PAUSE_MS = 300
const TEXTS = [
  ['name1Text', 'company'],
  ['address1Text', 'street'],
  ['address1PostalCode', 'postcode'],
  ['address1City', 'city'],
  ['vat', 'vat'],
  ['website', 'website'],
] as const
const COLOURS = [
  ['primaryColor', 'colour', '#1c2321'],
  ['backgroundColor', 'background', '#ffffff'],
] as const

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const path = { posOperatorId: operatorId }
  const stored = useQuery({
    queryKey: ['getReceiptSettings', operatorId],
    queryFn: () => call('getReceiptSettings', { path }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <div className="head">
        <h1>{t.look.title}</h1>
        <Link className="button" to={`/operators/${operatorId}/wallets`}>
          {t.parts.wallets}
        </Link>
      </div>
      <p className="lead">{t.look.lead}</p>
      <Loaded query={stored}>
        {(settings) => <Editor operatorId={operatorId} stored={settings} />}
      </Loaded>
    </>
  )
}

interface EditorProps {
  operatorId: string
  stored: Result<'getReceiptSettings'>
}

function Editor({ operatorId, stored }: EditorProps) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('operator', operatorId)('putReceiptSettings')
  const [settings, setSettings] = useState<Settings>(stored)
  const change = (part: Settings) => setSettings({ ...settings, ...part })
  const save = async () => {
    const path = { posOperatorId: operatorId }
    const after = await call('putReceiptSettings', { path, body: settings })
    client.setQueryData(['getReceiptSettings', operatorId], after)
  }
  return (
    <div className="split wide">
      <form onSubmit={(event: FormEvent) => event.preventDefault()}>
        {TEXTS.map(([name, label]) => (
          <Line
            key={name}
            label={t.look[label]}
            value={String(settings[name] ?? '')}
            onValue={(value) => change({ [name]: value })}
          />
        ))}
        <label className="field">
          <span>{t.look.footer}</span>
          <textarea
            className="low"
            value={settings.footertext ?? ''}
            onChange={(event) => change({ footertext: event.target.value })}
          />
        </label>
        <div className="grid">
          {COLOURS.map(([name, label, usual]) => (
            <label key={name} className="field">
              <span>{t.look[label]}</span>
              <input
                type="color"
                value={settings[name] ?? usual}
                onChange={(event) =>
                  // the one without the other is refused
                  change({
                    primaryColor: settings.primaryColor ?? COLOURS[0][2],
                    backgroundColor: settings.backgroundColor ?? COLOURS[1][2],
                    [name]: event.target.value,
                  })
                }
              />
            </label>
          ))}
        </div>
        <Logo onLogo={(logourl) => change({ logourl })} isSet={settings.logourl != null} />
        <p>
          <label>
            <input
              type="checkbox"
              checked={String(settings.printBewirtungsBeleg ?? false) === 'true'}
              onChange={(event) => change({ printBewirtungsBeleg: event.target.checked })}
            />{' '}
            {t.look.hospitality}
          </label>
        </p>
        <WorkButton kind="primary" why={why} work={save} done={t.look.saved}>
          {t.common.save}
        </WorkButton>
      </form>
      <Preview operatorId={operatorId} settings={settings} />
    </div>
  )
}

interface LineProps {
  label: string
  value: string
  onValue(value: string): void
}

function Line({ label, value, onValue }: LineProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input value={value} onChange={(event) => onValue(event.target.value)} />
    </label>
  )
}

function Logo({ isSet, onLogo }: { isSet: boolean; onLogo(logo: string | null): void }) {
  const t = useText()
  const id = useId()
  const [isLarge, setLarge] = useState(false)
  const take = (file: File | undefined) => {
    setLarge(file !== undefined && file.size > MOST_BYTES)
    if (file === undefined || file.size > MOST_BYTES) return
    const reader = new FileReader()
    reader.onload = () => onLogo(String(reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        <b>{t.look.logo}</b>
      </label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg"
        aria-describedby={`${id}-hint`}
        onChange={(event) => take(event.target.files?.[0])}
      />
      <span id={`${id}-hint`} className="wrong">
        {isLarge ? t.look.large : ''}
      </span>
      {isSet && (
        <button type="button" onClick={() => onLogo(null)}>
          {t.look.noLogo}
        </button>
      )}
    </div>
  )
}

interface PreviewProps {
  operatorId: string
  settings: Settings
}

function Preview({ operatorId, settings }: PreviewProps) {
  const t = useText()
  const { mayWrite } = useRole()
  const [width, setWidth] = useState<Width>()
  const wished = usePaused(useDeferredValue(JSON.stringify(settings)))
  if (!mayWrite) return <Empty title={t.why.role(t.company.roles.Member)} />
  return (
    <section className="paper">
      <div className="head">
        <h2>{t.look.preview}</h2>
        <div className="filters">
          {[undefined, ...WIDTHS].map((one) => (
            <button
              key={one ?? ''}
              type="button"
              aria-pressed={one === width}
              onClick={() => setWidth(one)}
            >
              {one === undefined ? t.common.all : t.look.width(one)}
            </button>
          ))}
        </div>
      </div>
      <div className={width === undefined ? 'papers' : undefined}>
        {(width === undefined ? WIDTHS : [width]).map((one) => (
          <Paper key={one} operatorId={operatorId} width={one} wished={wished} />
        ))}
      </div>
    </section>
  )
}

interface PaperProps {
  operatorId: string
  width: Width
  /** The settings as JSON. */
  wished: string
}

/** A receipt on one width of paper, as it would look. */
function Paper({ operatorId, width, wished }: PaperProps) {
  const t = useText()
  const { error, data } = useQuery({
    queryKey: ['previewReceiptSettings', operatorId, width, wished],
    queryFn: async () => {
      const wish = { path: { posOperatorId: operatorId }, query: { width } }
      const body = readJson(wished)
      return addressOf(await fetchFile('previewReceiptSettings', { ...wish, body }))
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  if (Object(error).status === 404) return width === 80 && <Empty title={t.register.nothing} />
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined) return null
  return (
    <figure className={`mm${width}`}>
      <img src={data} alt={t.receipt.alt} />
      <figcaption className="sub">{t.look.width(width)}</figcaption>
    </figure>
  )
}

/** As an address of its own bytes: nothing has to be given back. */
function addressOf(file: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.onerror = () => failed(reader.error)
    reader.readAsDataURL(file)
  })
}

/** What it is when it has been so for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return paused
}
