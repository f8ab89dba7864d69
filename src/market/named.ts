// Countries that the interface names in every queue, with a market here or not.

/** Lists of the configuration journal. */
export const LISTED = ['AT', 'DE', 'FR', 'IT', 'ME', 'BE', 'ES', 'EU', 'GR', 'PT'] as const

/** Those whose raw journal has a word of version 0. */
export const JOURNALLED = ['AT', 'DE', 'FR', 'ME'] as const
