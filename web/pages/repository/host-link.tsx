import type { ComponentChildren } from 'preact'
import { External } from '../../parts/external'
import { sandboxed } from '../../shell/session'

interface Props { href: string | null, class?: string, children: ComponentChildren, without?: ComponentChildren }

/** A link to the code host. The sandbox has no pages to open, so there is none: `without` stands in its place. */
export const HostLink = ({ href, children, without = null, ...rest }: Props) =>
  href === null || sandboxed.value.includes('codehost')
    ? <>{without}</>
    : <External href={href} {...rest}>{children}</External>
