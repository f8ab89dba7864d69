// Settings of a queue that change its DSFinV-K export, read from its configuration.
import { type MasterData, masterData } from '../../queue.js'

export interface Settings {
  /** TAXONOMIE_VERSION. */
  version: '2.3' | '2.4'
  excludeOrders: boolean
  excludeReferences: boolean
  /** For closings that stored none. */
  masterData: MasterData
}

export function settingsOf(configuration: unknown): Settings {
  const values = new Map(
    Object.entries(Object(configuration)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return {
    version: String(values.get('dsfinvkversion')) === '2.4' ? '2.4' : '2.3',
    excludeOrders: isOn(values.get('excludedsfinvkorders')),
    excludeReferences: isOn(values.get('disabledsfinvkexportreferences')),
    masterData: masterDataIn(values.get('init_masterdata')),
  }
}

function isOn(value: unknown): boolean {
  return value === true || /^(?:true|1|yes|on)$/i.test(String(value))
}

/** Portals send the object, or its JSON text. */
function masterDataIn(value: unknown): MasterData {
  const found = masterData.safeParse(typeof value === 'string' ? objectIn(value) : value)
  return found.success ? found.data : {}
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
