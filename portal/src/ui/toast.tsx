// Short news at the edge of the page, with a way back where there is one.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { useText } from '../text/index.js'

interface News {
  text: string
  isFault?: boolean
  undo?(): Promise<unknown>
}

type Tell = (news: News) => void

const ToastContext = createContext<Tell>(() => undefined)
export const useToast = (): Tell => useContext(ToastContext)

const SHOWN_MS = 10_000

export function Toasts({ children }: { children: ReactNode }) {
  const t = useText()
  const [news, setNews] = useState<News>()
  const tell = useCallback((one: News) => {
    setNews(one)
    setTimeout(() => setNews((shown) => (shown === one ? undefined : shown)), SHOWN_MS)
  }, [])
  const undo = news?.undo
  return (
    <ToastContext.Provider value={tell}>
      {children}
      <div aria-live="polite">
        {news !== undefined && (
          <div className="toast" role={news.isFault ? 'alert' : undefined}>
            <span>{news.text}</span>
            {undo !== undefined && (
              <button
                type="button"
                onClick={() => {
                  setNews(undefined)
                  void undo()
                }}
              >
                {t.common.undo}
              </button>
            )}
            <button type="button" onClick={() => setNews(undefined)}>
              {t.common.close}
            </button>
          </div>
        )}
      </div>
    </ToastContext.Provider>
  )
}
