import type { Change } from '../tools/options.js'
import type { FunctionAlias, ServerlessFunction } from '../../schemas/infrastructure/functions.js'

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`

/** @returns such as "version 41", or "version 41 (90 %), version 42 (10 %)" */
export const describeVersions = (versions: FunctionAlias['versions']): string => versions
  .map(({ version, share }) => `version ${version}${versions.length > 1 ? ` (${percent(share)})` : ''}`).join(', ')

const isLatest = (versions: FunctionAlias['versions']): boolean => versions.some(({ version }) => version === '$LATEST')

/** @returns what a deployment, which changes $LATEST alone, leaves as it is */
export const aliasRows = ({ aliases }: Pick<ServerlessFunction, 'aliases'>): Change[] => aliases === null
  ? [{
      label: 'Aliases',
      before: null,
      after: 'Could not be read: if there are any, they keep their versions, and only $LATEST gets the image',
      context: true
    }]
  : aliases.map(({ name, versions }) => ({
    label: `Alias ${name}`,
    before: null,
    after: isLatest(versions)
      ? 'Leads to $LATEST: who calls it gets the image at once'
      : `Stays at ${describeVersions(versions)}: only $LATEST gets the image`,
    context: true
  }))

/** @returns the same after a deployment, such as "Only $LATEST has changed: alias live stays at version 41" */
export const describeUnchanged = ({ aliases }: Pick<ServerlessFunction, 'aliases'>): string => {
  const kept = (aliases ?? []).filter(({ versions }) => !isLatest(versions))
    .map(({ name, versions }) => `alias ${name} stays at ${describeVersions(versions)}`)
  return `Only $LATEST has changed: ${kept.length > 0
    ? kept.join(', ')
    : 'published versions, and aliases that lead to them, run what they ran'}`
}
