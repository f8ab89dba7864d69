// What two linters of the field say of an OpenAPI document, as a list of faults.
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core'

const told = ({ ruleId, message, location }: NormalizedProblem): string =>
  `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`

/** Every error with its place; [] for a sound document. */
export async function documentFaults(document: unknown): Promise<string[]> {
  const source = JSON.stringify(document)
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const parsed = await SwaggerParser.validate(JSON.parse(source) as never).then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return [...found.filter(({ severity }) => severity === 'error').map(told), ...parsed]
}
