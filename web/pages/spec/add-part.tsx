import { useRef } from 'preact/hooks'
import { Plus } from '../../parts/icons'
import { targetOf } from './section-part'
import { sectionParts } from './section-parts'
import type { Written } from './index'
import { say } from '../../texts/say'

/** Offers the parts that the spec does not have yet. */
export const AddPart = ({ version: { document }, edit }: Written) => {
  const menu = useRef<HTMLDetailsElement>(null)
  const empty = sectionParts(document)
    .filter((part) => part.isEmpty(document) && !document.locked_sections.includes(part.name))
  const close = () => {
    if (!menu.current?.open) return false
    menu.current.open = false
    // The focus goes back to what opens it, and from there into the editor and back.
    menu.current.querySelector('summary')?.focus()
    return true
  }
  if (empty.length === 0) return null
  return (
    <details
      ref={menu} class='menu' onKeyDown={(event) => { if (event.key === 'Escape' && close()) event.preventDefault() }}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && menu.current?.contains(relatedTarget)
        if (menu.current && relatedTarget && !isInside) menu.current.open = false
      }}
    >
      <summary class='button small'><Plus size={14} aria-hidden='true' />{say('spec.part.add')}</summary>
      <div class='choices'>{empty.map((part) => <button
        key={part.name} type='button' class='quiet small' onClick={() => {
          close()
          edit(targetOf(part))
        }}
      >{part.label}
      </button>)}
      </div>
    </details>
  )
}
