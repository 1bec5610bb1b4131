import type { ComponentChildren } from 'preact'

interface Props { href: string | null | undefined, class?: string, children: ComponentChildren }

/** A link out of Steward; an address of any other scheme than the web's could run a script here, and is no link. */
export const External = ({ href, class: classes, children }: Props) => href && /^https?:\/\//i.test(href)
  ? <a class={classes} href={href} target='_blank' rel='noopener noreferrer'>{children}</a>
  : <>{children}</>
