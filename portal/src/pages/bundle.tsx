// One inspection bundle: what was asked for, how far it is, what the verifiers found.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { useText } from '../text/index.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'
import { JobState, nextLook } from './jobs.js'

export function Page() {
  const t = useText()
  const { inspectionId = '' } = useParams()
  const path = { id: inspectionId }
  const found = useQuery({
    queryKey: ['getInspection', inspectionId],
    queryFn: () => call('getInspection', { path }),
    refetchInterval: ({ state: { data } }) => nextLook(data && [data.job]),
  })
  return (
    <>
      <p>
        <Link to="/exports">← {t.exports.title}</Link>
      </p>
      <Loaded isPage query={found}>
        {({ job, ...bundle }) => (
          <>
            <div className="head">
              <h1>{t.jobs.inspection}</h1>
              {job.state === 'succeeded' && (
                <a className="button" href={linkOf('getInspectionContent', { path })} download>
                  {t.jobs.download}
                </a>
              )}
            </div>
            <p role="status">
              <JobState job={job} /> ·{' '}
              <Link to={`/operators/${bundle.operatorId}`}>{job.operatorName}</Link>
            </p>
            <Facts of={bundle} />
          </>
        )}
      </Loaded>
    </>
  )
}
