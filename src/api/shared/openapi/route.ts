// One row of a route table: everything that there is to know about a call. Router, OpenAPI document
// and tests are made from it.
import type { z } from 'zod'
import type { ErrorCode } from '../../../errors.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What is sent or answered in one media type. */
export interface Media {
  schema: z.ZodType
  /** By name; every one can be sent as it stands. */
  examples?: Readonly<Record<string, unknown>>
}

export type Content = Readonly<Record<string, Media>>

export interface Success {
  text: string
  /** By media type; left out: no body. */
  content?: Content
  /** Name to meaning. */
  headers?: Readonly<Record<string, string>>
}

export interface ApiRoute {
  /** Unique in its document. */
  id: string
  title: string
  /** What the title does not say; Markdown. */
  text?: string
  /** Heading on the page. */
  tag: string
  method: Method
  /** Below the place of the group, with `:name` for what varies. */
  path: string
  /** Other addresses of the same call, which old clients use; no document shows them. */
  also?: readonly string[]
  /** Headers with credentials; all of one list are needed. Left out: nobody is asked. */
  security?: readonly (readonly string[])[]
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: Content
  /** A body may be missing. */
  bodyOptional?: boolean
  success: Readonly<Record<number, Success>>
  refusals: readonly ErrorCode[]
}

/** How a group tells one refusal: its status, and what the body holds. */
export interface RefusalForm {
  status: number
  type: string
  schema: z.ZodType
  /** The member by which programs know it, and what it says; left out: it has none. */
  word?: { member: string; value: string }
  example: unknown
}

export type RefusalForms = (code: ErrorCode, route: ApiRoute) => RefusalForm

/** One document: a group, and every call of it. */
export interface ApiTable {
  routes: readonly ApiRoute[]
  refusalOf: RefusalForms
  /** What members mean whose schema says nothing, by name. */
  meanings?: Readonly<Record<string, string>>
}
