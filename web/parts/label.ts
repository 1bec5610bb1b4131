import { spoken } from '../texts/language'
import { translate } from '../texts/translate'

const short: Record<string, string> = {
  id: 'ID', arn: 'ARN', url: 'URL', cpu: 'CPU', ecs: 'ECS', aws: 'AWS', sha: 'SHA', api: 'API', ip: 'IP'
}

/** @returns desired_count → Desired count, scaleService → Scale service */
const inWords = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().split('_').map((word) => short[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** @returns the name of a field, or of a kind of target, as a label: desired_count → Desired count */
export const formatLabel = (name: string): string => translate('fields', inWords(name))

/** @returns what an operation does, in a few words: scaleService → Scale service */
export const formatOperation = (name: string): string => {
  const text = translate('operations', name)
  return text === name ? inWords(name) : text
}

/** @returns the same; undefined where nobody has named the operation in the language of the screen */
export const formatKnownOperation = (name: string): string | undefined =>
  translate('operations', name) !== name || spoken.value.language === 'en' ? formatOperation(name) : undefined

/** @returns what a change does, in one sentence */
export const formatSummary = ({ summary, name }: { summary: string, name: string }): string =>
  summary === '' ? formatOperation(name) : translate('plans', summary)

/** @returns an id without the account of <account>~<region>~<name> */
export const formatName = (id: string): string =>
  id.replace(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}~/, '').replaceAll('~', ' / ')
