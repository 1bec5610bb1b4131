import type { Icon } from '../parts/icon'
import {
  AlarmClock, BookOpen, Boxes, ChartColumn, FileCheck2, FolderGit2, House, Inbox, MessagesSquare, Newspaper, Package,
  ScrollText, Settings
} from '../parts/icons'
import type { Key } from '../texts/say'
import { lazy } from './lazy'

/** All pages; the script of each loads when it is first opened. */
export const pages = {
  home: lazy(() => import('../pages/home'), 'home', 'chat'),
  chat: lazy(() => import('../pages/chat'), 'chat'),
  shared: lazy(() => import('../pages/shared'), 'access', 'chat'),
  inbox: lazy(() => import('../pages/inbox'), 'inbox'),
  question: lazy(() => import('../pages/question'), 'decisions', 'chat'),
  plan: lazy(() => import('../pages/plan'), 'decisions', 'chat'),
  triggers: lazy(() => import('../pages/triggers'), 'automation'),
  trigger: lazy(() => import('../pages/trigger'), 'automation'),
  reports: lazy(() => import('../pages/reports'), 'automation'),
  report: lazy(() => import('../pages/report'), 'automation', 'chat'),
  accounts: lazy(() => import('../pages/accounts'), 'cloud', 'settings', 'access'),
  costs: lazy(() => import('../pages/costs'), 'cloud'),
  services: lazy(() => import('../pages/services'), 'cloud'),
  logs: lazy(() => import('../pages/logs'), 'cloud'),
  service: lazy(() => import('../pages/service'), 'cloud'),
  function: lazy(() => import('../pages/function'), 'cloud'),
  apps: lazy(() => import('../pages/apps'), 'delivery'),
  app: lazy(() => import('../pages/app'), 'delivery'),
  build: lazy(() => import('../pages/build'), 'delivery'),
  repositories: lazy(() => import('../pages/repositories'), 'delivery'),
  repository: lazy(() => import('../pages/repository'), 'delivery'),
  specs: lazy(() => import('../pages/specs'), 'specs'),
  spec: lazy(() => import('../pages/spec'), 'specs'),
  standards: lazy(() => import('../pages/standards'), 'specs'),
  standard: lazy(() => import('../pages/standard'), 'specs'),
  contents: lazy(() => import('../pages/contents'), 'content'),
  contentDesk: lazy(() => import('../pages/content-desk'), 'content'),
  contentCalendar: lazy(() => import('../pages/content-calendar'), 'content'),
  content: lazy(() => import('../pages/content'), 'content'),
  briefs: lazy(() => import('../pages/briefs'), 'content'),
  brief: lazy(() => import('../pages/brief'), 'content'),
  projects: lazy(() => import('../pages/projects'), 'access', 'settings'),
  brand: lazy(() => import('../pages/brand'), 'content'),
  components: lazy(() => import('../pages/components')),
  connect: lazy(() => import('../pages/connect'), 'access'),
  settings: lazy(() => import('../pages/settings'), 'settings', 'access')
}

export interface NavigationEntry {
  href: string
  label: Key
  icon: Icon
  /** Other addresses of this entry. */
  also?: RegExp
}

interface NavigationGroup {
  title?: Key
  entries: NavigationEntry[]
  /** The menu has it from the first text on, or as a person chooses (writing.ts); the palette always. */
  onceUsed?: true
}

/** @returns whether an address is that of an entry, or of a page below it */
export const isWithin = ({ href, also }: NavigationEntry, path: string): boolean =>
  path === href || (href !== '/' && path.startsWith(`${href}/`)) || also?.test(path) === true

export const navigation: NavigationGroup[] = [
  {
    entries: [
      { href: '/home', label: 'nav.home', icon: House },
      { href: '/', label: 'nav.chat', icon: MessagesSquare, also: /^\/(chat|shared)/ },
      { href: '/inbox', label: 'nav.approvals', icon: Inbox }
    ]
  },
  {
    title: 'nav.operate',
    entries: [
      { href: '/services', label: 'nav.services', icon: Boxes, also: /^\/functions/ },
      { href: '/logs', label: 'nav.logs', icon: ScrollText },
      { href: '/costs', label: 'nav.costs', icon: ChartColumn }
    ]
  },
  {
    title: 'nav.ship',
    entries: [
      { href: '/apps', label: 'nav.apps', icon: Package },
      { href: '/repositories', label: 'nav.repositories', icon: FolderGit2 }
    ]
  },
  {
    title: 'nav.write',
    onceUsed: true,
    entries: [
      { href: '/specs', label: 'nav.specs', icon: FileCheck2, also: /^\/standards/ },
      { href: '/content', label: 'nav.content', icon: Newspaper, also: /^\/briefs/ }
    ]
  },
  {
    title: 'nav.workspace',
    entries: [
      { href: '/triggers', label: 'nav.automations', icon: AlarmClock, also: /^\/reports/ },
      { href: '/settings', label: 'nav.settings', icon: Settings, also: /^\/(accounts|projects)/ }
    ]
  }
]

/** What explains Steward, outside the client: one menu has it, beside the keyboard shortcuts. */
export const helpPages: Pick<NavigationEntry, 'href' | 'label' | 'icon'>[] = [
  { href: './guide/', label: 'nav.guide', icon: BookOpen },
  { href: './docs/', label: 'nav.api', icon: ScrollText }
]
