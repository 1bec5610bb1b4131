import type { ComponentChildren } from 'preact'

/** A component of web/parts, by the name of its file, in its states. */
export const Part = ({ name, children }: { name: string, children: ComponentChildren }) => <section
  class='card stack' aria-label={name} data-part={name}
>
  <h3>{name}</h3>
  {children}
</section>
