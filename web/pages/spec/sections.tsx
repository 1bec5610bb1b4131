import { AddPart } from './add-part'
import { PartHead } from './part-head'
import { isShown, targetOf } from './section-part'
import { Reading, textParts } from './texts'
import type { Written } from './index'
import { say } from '../../texts/say'

/** What a spec says before its requirements; a person can write each part. */
export const Sections = (written: Written) => {
  const { version: { document }, edit } = written
  return (
    <section class='card stack' aria-label={say('spec.about')}>
      <div class='row spread'><h2>{say('spec.about')}</h2><AddPart {...written} /></div>
      {textParts(document).filter((part) => isShown(document, part)).map((part) => <div key={part.name}>
        <PartHead {...written} name={part.name} label={part.label} onEdit={() => edit(targetOf(part))} />
        <Reading of={part.read(document)} />
      </div>)}
    </section>
  )
}
