// Moments as people say them: how long ago, with the exact one on demand.
import { useSpeech } from '../text/index.js'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

interface Formats {
  ago: Intl.RelativeTimeFormat
  exact: Intl.DateTimeFormat
  short: Intl.DateTimeFormat
}

/** Of each language: to make one takes longer than all else that a row of a list shows. */
const madeFormats = new Map<string, Formats>()

function formatsOf(language: string): Formats {
  const known = madeFormats.get(language)
  if (known !== undefined) return known
  const made = {
    ago: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    exact: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }),
    short: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  }
  madeFormats.set(language, made)
  return made
}

export function relative(date: Date, language: string): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const format = formatsOf(language).ago
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return format.format(Math.trunc(seconds), 'second')
}

/** What a till has sent may look like a moment and be none: it is shown as it came then. */
function Shown({ at, title, text }: { at: string; title?: Write; text: Write }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <time dateTime={at}>{at}</time>
  return (
    <time dateTime={at} title={title?.(date)}>
      {text(date)}
    </time>
  )
}

type Write = (date: Date) => string

export function Moment({ at }: { at: string | null | undefined }) {
  const { language, t } = useSpeech()
  if (at == null) return <>{t.ago.never}</>
  const { exact } = formatsOf(language)
  return (
    <Shown at={at} title={(date) => exact.format(date)} text={(date) => relative(date, language)} />
  )
}

export function Day({ at }: { at: string | null | undefined }) {
  const { language } = useSpeech()
  if (at == null) return null
  const { short } = formatsOf(language)
  return <Shown at={at} text={(date) => short.format(date)} />
}
