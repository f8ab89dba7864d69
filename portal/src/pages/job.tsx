// One long work: how far it is, when it was heard of last, what came of it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'
import { INSPECTION, isOpen, JobState, nextLook } from './jobs.js'

export function Page() {
  const t = useText()
  const { jobId = '' } = useParams()
  const client = useQueryClient()
  const why = useWhy('job', jobId)('cancelJob')
  const path = { id: jobId }
  const found = useQuery({
    queryKey: ['getJob', jobId],
    queryFn: () => call('getJob', { path }),
    refetchInterval: ({ state: { data } }) => nextLook(data && [data]),
  })
  const cancel = async () => {
    await call('cancelJob', { path })
    await client.invalidateQueries({ queryKey: ['getJob'] })
  }
  return (
    <>
      <p>
        <Link to="/jobs">← {t.jobs.title}</Link>
      </p>
      <Loaded isPage query={found}>
        {(job) => (
          <>
            <div className="head">
              <h1>{job.kind === INSPECTION ? t.jobs.inspection : job.kind}</h1>
              {job.kind === INSPECTION && (
                <Link className="button" to={`/exports/${jobId}`}>
                  {t.parts.bundle}
                </Link>
              )}
              {isOpen(job) && (
                <WorkButton work={cancel} why={why}>
                  {t.jobs.cancel}
                </WorkButton>
              )}
            </div>
            <p role="status">
              <JobState job={job} />
            </p>
            <Facts of={job} leave={['kind', 'state']} />
          </>
        )}
      </Loaded>
    </>
  )
}
