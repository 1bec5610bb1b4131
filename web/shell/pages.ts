import { Inbox, MessagesSquare, type LucideIcon } from 'lucide-preact'
import { lazy } from './lazy'

const ChatPage = lazy(() => import('../pages/chat'))

/** Every page and its address. Pages with an icon stand in the navigation, in the order and the groups given here. */
export const pages = {
  chat: ChatPage,
  inbox: lazy(() => import('../pages/inbox'))
}

export interface NavigationEntry { href: string, label: string, icon: LucideIcon, also?: RegExp }
export const navigation: { title?: string, entries: NavigationEntry[] }[] = [
  {
    entries: [
      { href: '/', label: 'Chat', icon: MessagesSquare, also: /^\/chat/ },
      { href: '/inbox', label: 'Inbox', icon: Inbox }
    ]
  }
]
