// The address is the state of a list: filters and place stand in its query.
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useText } from '../text/index.js'

/** `list`: of one list of several on a page. */
export function useFilters(list = '') {
  const [params, setParams] = useSearchParams()
  const keyOf = (name: string) => (list === '' ? name : `${list}.${name}`)
  const isOwn = (key: string) => key !== 'pseudo' && (list === '' || key.startsWith(`${list}.`))
  return {
    get: (name: string) => params.get(keyOf(name)) ?? '',
    /** Those that are set, as members of a query. */
    given: (...names: string[]): Record<string, string> =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = params.get(keyOf(name)) ?? ''
          return value === '' ? [] : [[name, value]]
        }),
      ),
    /** How a list is sorted leaves nothing out. */
    isSet: [...params.keys()].some((key) => isOwn(key) && key !== keyOf('sort')),
    /** A filter changes: the list begins anew. */
    set: (name: string, value: string) => {
      // the address of now: that of the last picture may lack the change just before
      const after = new URLSearchParams(window.location.search)
      if (value === '') after.delete(keyOf(name))
      else after.set(keyOf(name), value)
      if (name !== 'after') after.delete(keyOf('after'))
      // at once: a tick that waits for a long list looks as if it had not been made
      setParams(after, { replace: name !== 'after', flushSync: true })
    },
    clear: () =>
      setParams((before) => new URLSearchParams([...before].filter(([key]) => !isOwn(key)))),
  }
}

export type Filters = ReturnType<typeof useFilters>

const PAUSE_MS = 250

export function SearchField({ filters, label }: { filters: Filters; label: string }) {
  const stored = filters.get('search')
  const [text, setText] = useState(stored)
  const [known, setKnown] = useState(stored)
  // not by this field: cleared, gone back, opened anew by the menu
  if (stored !== known) {
    setKnown(stored)
    setText(stored)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the pause
  useEffect(() => {
    if (text === stored) return
    const pause = setTimeout(() => {
      setKnown(text)
      filters.set('search', text)
    }, PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

export function Choice({
  filters,
  name,
  label,
  options,
  none,
}: {
  filters: Filters
  name: string
  label: string
  options: readonly (readonly [string, string])[]
  /** What is shown without it; left out: all. */
  none?: string
}) {
  const t = useText()
  return (
    <label>
      {label}
      <select value={filters.get(name)} onChange={(event) => filters.set(name, event.target.value)}>
        <option value="">{none ?? t.common.all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Tick({ filters, name, label }: { filters: Filters; name: string; label: string }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={filters.get(name) === 'true'}
        onChange={(event) => filters.set(name, event.target.checked ? 'true' : '')}
      />
      {label}
    </label>
  )
}

/** Shown while there is something to clear. */
export function Clear({ filters }: { filters: Filters }) {
  const t = useText()
  if (!filters.isSet) return null
  return (
    <button type="button" className="plain" aria-keyshortcuts="Escape" onClick={filters.clear}>
      {t.common.clear}{' '}
      <kbd>
        <span aria-hidden="true">Esc</span>
      </kbd>
    </button>
  )
}

/** A day of the calendar. */
export function Day({ filters, name, label }: { filters: Filters; name: string; label: string }) {
  return (
    <label>
      {label}
      <input
        type="date"
        value={filters.get(name)}
        onChange={(event) => filters.set(name, event.target.value)}
      />
    </label>
  )
}

export function Pager({ filters, next }: { filters: Filters; next: string | null | undefined }) {
  const t = useText()
  const isFirst = filters.get('after') === ''
  if (isFirst && next == null) return null
  return (
    <nav className="pager" aria-label={t.common.next}>
      {!isFirst && (
        <button type="button" aria-keyshortcuts="[" onClick={() => filters.set('after', '')}>
          {t.common.first}{' '}
          <kbd>
            <span aria-hidden="true">[</span>
          </kbd>
        </button>
      )}
      {next != null && (
        <button type="button" aria-keyshortcuts="]" onClick={() => filters.set('after', next)}>
          {t.common.next}{' '}
          <kbd>
            <span aria-hidden="true">]</span>
          </kbd>
        </button>
      )}
    </nav>
  )
}
