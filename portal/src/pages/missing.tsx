// An address of the portal that there is not.
import { Link } from 'react-router'
import { useText } from '../text/index.js'
import { Empty } from '../ui/states.js'

export function Page() {
  const t = useText()
  return (
    <>
      <h1>{t.change.missing}</h1>
      <Empty title={t.change.missingText}>
        <Link to="/">{t.nav.problems}</Link>
      </Empty>
    </>
  )
}
