// What a load over HTTP is, and what it measured.

/** One kind of request; NUMBER_MARK in headers and body becomes the number of the request. */
export interface Target {
  /** POST unless told. */
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body: string
}

export interface Load {
  url: string
  /** Every client goes around them. */
  targets: Target[]
  /** Connections kept alive; each waits for its answer before it asks again. */
  clients: number
  seconds: number
  /** Every client keeps to one target; only plain sockets do that. */
  keepsTarget?: boolean
}

export interface LoadResult {
  /** Answers, all of them with a status of success. */
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The least time that the generator can tell from none. */
  resolutionMs: number
}

export interface Generator {
  name: string
  /** Throws when any answer was no success, or none came. */
  run(load: Load): Promise<LoadResult>
}
