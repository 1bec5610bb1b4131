import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../api/client'
import type { Written } from './index'

type SpecDocument = Schemas['SpecDocument']

export interface EditorProps extends Written { onClose: () => void }

/** What a person can write of a spec besides its requirements and stories. */
export interface SectionPart {
  /** A key of sections.<key>. */
  name: string
  label: string
  isEmpty: (document: SpecDocument) => boolean
  edit: (props: EditorProps) => ComponentChildren
}

export const targetOf = ({ name }: Pick<SectionPart, 'name'>): string => `sections.${name}`

/** A part without content is shown only to be unlocked. */
export const isShown = (document: SpecDocument, { name, isEmpty }: Pick<SectionPart, 'name' | 'isEmpty'>): boolean =>
  !isEmpty(document) || document.locked_sections.includes(name)
