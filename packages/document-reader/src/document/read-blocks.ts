import type { Block } from './block.js'
import { scanCsv } from './scan-csv.js'
import { RstScanner } from './scan-rst.js'
import { TextScanner } from './scan-text.js'

const prose = new Set(['text/markdown', 'text/html', 'text/plain', 'text/x-rst', 'text/x-gherkin', 'text/csv',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document'])

const bareType = (mediaType: string): string => mediaType.split(';')[0]?.trim() ?? ''

/** @returns whether a text has sentences to read; other data formats have none */
export const isProse = (mediaType: string): boolean => prose.has(bareType(mediaType))

/**
 * @param text an input's extracted text
 * @returns its blocks in order, in linear time
 */
export const blocksOf = (text: string, mediaType: string): Block[] => {
  const type = bareType(mediaType)
  if (type === 'text/csv') return scanCsv(text)
  if (type === 'text/x-rst') return new RstScanner(text).scan()
  const dialect = type === 'text/markdown' ? 'markdown' : type === 'text/x-gherkin' ? 'gherkin' : 'plain'
  return new TextScanner(text, dialect).scan()
}
