import type { Icon } from '../parts/icon'
import {
  AlarmClock, BookOpen, Boxes, ChartColumn, Cloud, FileCheck2, FolderGit2, FolderKanban, Inbox, MessagesSquare,
  Newspaper, Package, Settings, Zap
} from '../parts/icons'
import { lazy } from './lazy'

/** All pages; the script of each loads when it is first opened. */
export const pages = {
  chat: lazy(() => import('../pages/chat')),
  shared: lazy(() => import('../pages/shared')),
  inbox: lazy(() => import('../pages/inbox')),
  question: lazy(() => import('../pages/question')),
  plan: lazy(() => import('../pages/plan')),
  triggers: lazy(() => import('../pages/triggers')),
  trigger: lazy(() => import('../pages/trigger')),
  reports: lazy(() => import('../pages/reports')),
  report: lazy(() => import('../pages/report')),
  accounts: lazy(() => import('../pages/accounts')),
  costs: lazy(() => import('../pages/costs')),
  clusters: lazy(() => import('../pages/clusters')),
  service: lazy(() => import('../pages/service')),
  functions: lazy(() => import('../pages/functions')),
  function: lazy(() => import('../pages/function')),
  apps: lazy(() => import('../pages/apps')),
  app: lazy(() => import('../pages/app')),
  build: lazy(() => import('../pages/build')),
  repositories: lazy(() => import('../pages/repositories')),
  repository: lazy(() => import('../pages/repository')),
  specs: lazy(() => import('../pages/specs')),
  spec: lazy(() => import('../pages/spec')),
  standards: lazy(() => import('../pages/standards')),
  standard: lazy(() => import('../pages/standard')),
  contents: lazy(() => import('../pages/contents')),
  contentDesk: lazy(() => import('../pages/content-desk')),
  contentCalendar: lazy(() => import('../pages/content-calendar')),
  content: lazy(() => import('../pages/content')),
  briefs: lazy(() => import('../pages/briefs')),
  brief: lazy(() => import('../pages/brief')),
  projects: lazy(() => import('../pages/projects')),
  brand: lazy(() => import('../pages/brand')),
  connect: lazy(() => import('../pages/connect')),
  settings: lazy(() => import('../pages/settings'))
}

export interface NavigationEntry {
  href: string
  label: string
  icon: Icon
  /** Other addresses of this entry. */
  also?: RegExp
  /** Opens a page outside the client. */
  outside?: boolean
}

export const navigation: { title?: string, entries: NavigationEntry[] }[] = [
  {
    entries: [
      { href: '/', label: 'Chat', icon: MessagesSquare, also: /^\/(chat|shared)/ },
      { href: '/inbox', label: 'Inbox', icon: Inbox },
      { href: '/triggers', label: 'Triggers', icon: AlarmClock, also: /^\/reports/ }
    ]
  },
  {
    title: 'Cloud',
    entries: [
      { href: '/accounts', label: 'Accounts', icon: Cloud },
      { href: '/costs', label: 'Costs', icon: ChartColumn },
      { href: '/containers', label: 'Containers', icon: Boxes, also: /^\/services/ },
      { href: '/functions', label: 'Functions', icon: Zap }
    ]
  },
  {
    title: 'Delivery',
    entries: [
      { href: '/apps', label: 'Apps', icon: Package },
      { href: '/repositories', label: 'Repositories', icon: FolderGit2 },
      { href: '/specs', label: 'Specs', icon: FileCheck2, also: /^\/standards/ },
      { href: '/content', label: 'Content', icon: Newspaper, also: /^\/briefs/ }
    ]
  },
  {
    title: 'Workspace',
    entries: [
      { href: '/projects', label: 'Projects', icon: FolderKanban },
      { href: '/settings', label: 'Settings', icon: Settings },
      { href: './docs/', label: 'API', icon: BookOpen, outside: true }
    ]
  }
]
