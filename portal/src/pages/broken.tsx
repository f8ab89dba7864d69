// What is shown when a page itself fails, or its file is gone because a newer version runs.
import { useText } from '../text/index.js'

export function Broken() {
  const t = useText()
  return (
    <main className="narrow">
      <h1>{t.common.failed}</h1>
      <button type="button" className="primary" onClick={() => location.reload()}>
        {t.common.again}
      </button>
    </main>
  )
}
