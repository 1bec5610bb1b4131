import type { VersionRow } from '../../../../db/pse/versions.js'
import type { ExportLayout } from '../../../../schemas/pse/versions.js'
import type { ExportFile } from './files.js'
import { toKiro } from './kiro.js'
import { renderMarkdown } from './markdown.js'
import { toOpenSpec } from './openspec.js'
import { toSpecKit } from './spec-kit.js'
import { slugOf } from './text.js'

/** @returns the files of a version in a layout; pure functions of its document and its checks */
export const renderFiles = ({ document, checks }: Pick<VersionRow, 'document' | 'checks'>, layout: ExportLayout):
ExportFile[] => {
  const name = slugOf(document.title)
  switch (layout) {
    case 'markdown': return [{ path: `${name}.md`, content: renderMarkdown(document) }]
    case 'json': return [{ path: `${name}.json`, content: JSON.stringify(document) }]
    case 'spec-kit': return toSpecKit(document, checks)
    case 'kiro': return toKiro(document)
    case 'openspec': return toOpenSpec(document)
  }
}
