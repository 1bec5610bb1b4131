import { icon } from './icon'

/**
 * The icons of this client, from Lucide 1.48 (lucide.dev). Lucide is under the ISC licence, and the icons that it took
 * from Feather under the MIT licence: web/parts/icons.licence.txt.
 */
export const Activity = icon(() => <>
  <path d='M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0
    l-2.35 8.36A2 2 0 0 1 4.49 12H2'
  />
</>)
export const AlarmClock = icon(() => <>
  <circle cx={12} cy={13} r={8} /><path d='M12 9v4l2 2' /><path d='M5 3 2 6' /><path d='m22 6-3-3' />
  <path d='M6.38 18.7 4 21' /><path d='M17.64 18.67 20 21' />
</>)
export const ArrowRight = icon(() => <><path d='M5 12h14' /><path d='m12 5 7 7-7 7' /></>)
export const ArrowUp = icon(() => <><path d='m5 12 7-7 7 7' /><path d='M12 19V5' /></>)
export const Ban = icon(() => <><circle cx={12} cy={12} r={10} /><path d='M4.929 4.929 19.07 19.071' /></>)
export const BookMarked = icon(() => <>
  <path d='M10 2v7.751a.25.25 0 00.407.195l2.28-1.834a.5.5 0 01.627 0l2.28 1.834A.25.25 0 0016 9.751V2' />
  <path d='M4 19.5v-15A2.5 2.5 0 016.5 2H19a1 1 0 011 1v18a1 1 0 01-1 1H6.5a1 1 0 010-5H20' />
</>)
export const BookOpen = icon(() => <>
  <path d='M12 5v16' />
  <path d='M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12
    a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z'
  />
</>)
export const Boxes = icon(() => <>
  <path d='M2.97 12.92A2 2 0 0 0 2 14.63v3.24a2 2 0 0 0 .97 1.71l3 1.8a2 2 0 0 0 2.06 0L12 19v-5.5
    l-5-3-4.03 2.42Z'
  />
  <path d='m7 16.5-4.74-2.85' /><path d='m7 16.5 5-3' /><path d='M7 16.5v5.17' />
  <path d='M12 13.5V19l3.97 2.38a2 2 0 0 0 2.06 0l3-1.8a2 2 0 0 0 .97-1.71v-3.24a2 2 0 0 0-.97-1.71L17 10.5
    l-5 3Z'
  />
  <path d='m17 16.5-5-3' /><path d='m17 16.5 4.74-2.85' /><path d='M17 16.5v5.17' />
  <path d='M7.97 4.42A2 2 0 0 0 7 6.13v4.37l5 3 5-3V6.13a2 2 0 0 0-.97-1.71l-3-1.8a2 2 0 0 0-2.06 0l-3 1.8Z' />
  <path d='M12 8 7.26 5.15' /><path d='m12 8 4.74-2.85' /><path d='M12 13.5V8' />
</>)
export const ChartColumn = icon(() => <>
  <path d='M3 3v16a2 2 0 0 0 2 2h16' /><path d='M18 17V9' /><path d='M13 17V5' /><path d='M8 17v-3' />
</>)
export const Check = icon(() => <><path d='M20 6 9 17l-5-5' /></>)
export const ChevronRight = icon(() => <><path d='m9 18 6-6-6-6' /></>)
export const Circle = icon(() => <circle cx={12} cy={12} r={10} />)
export const CircleAlert = icon(() => <>
  <circle cx={12} cy={12} r={10} /><line x1={12} x2={12} y1={8} y2={12} /> <line x1={12} x2={12.01} y1={16} y2={16} />
</>)
export const CircleCheck = icon(() => <><circle cx={12} cy={12} r={10} /><path d='m16 9-5.5 5.5L8 12' /></>)
export const CircleHelp = icon(() => <>
  <circle cx={12} cy={12} r={10} /><path d='M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3' /><path d='M12 17h.01' />
</>)
export const CircleStop = icon(() => <>
  <circle cx={12} cy={12} r={10} /><rect x={9} y={9} width={6} height={6} rx={1} />
</>)
export const Cloud = icon(() => <><path d='M17.5 19H9a7 7 0 1 1 6.71-9h1.79a4.5 4.5 0 1 1 0 9Z' /></>)
export const Compass = icon(() => <>
  <circle cx={12} cy={12} r={10} />
  <path d='m16.24 7.76-1.804 5.411a2 2 0 0 1-1.265 1.265L7.76 16.24l1.804-5.411a2 2 0 0 1 1.265-1.265z' />
</>)
export const Copy = icon(() => <>
  <rect width={14} height={14} x={8} y={8} rx={2} ry={2} />
  <path d='M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2' />
</>)
export const Download = icon(() => <>
  <path d='M12 15V3' /><path d='M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4' /><path d='m7 10 5 5 5-5' />
</>)
export const FileCheck2 = icon(() => <>
  <path d='M10.5 22H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.706.706l3.588 3.588A2.4 2.4 0 0 1 20 8v6' />
  <path d='M14 2v5a1 1 0 0 0 1 1h5' /><path d='m14 20 2 2 4-4' />
</>)
export const FileText = icon(() => <>
  <path d='M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12
    a2 2 0 0 1-2 2z'
  />
  <path d='M14 2v5a1 1 0 0 0 1 1h5' /><path d='M10 9H8' /><path d='M16 13H8' /><path d='M16 17H8' />
</>)
export const FlaskConical = icon(() => <>
  <path d='M14 2v6a2 2 0 0 0 .245.96l5.51 10.08A2 2 0 0 1 18 22H6a2 2 0 0 1-1.755-2.96l5.51-10.08
    A2 2 0 0 0 10 8V2'
  />
  <path d='M6.453 15h11.094' /><path d='M8.5 2h7' />
</>)
export const FolderGit2 = icon(() => <>
  <path d='M18 19a5 5 0 0 1-5-5v8' />
  <path d='M9 20H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H20a2 2 0 0 1 2 2
    v5'
  />
  <circle cx={13} cy={12} r={2} /><circle cx={20} cy={19} r={2} />
</>)
export const FolderKanban = icon(() => <>
  <path d='M4 20h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.93a2 2 0 0 1-1.66-.9l-.82-1.2A2 2 0 0 0 7.93 3H4
    a2 2 0 0 0-2 2v13c0 1.1.9 2 2 2Z'
  />
  <path d='M8 10v4' /><path d='M12 10v2' /><path d='M16 10v6' />
</>)
export const GitCommitHorizontal = icon(() => <>
  <circle cx={12} cy={12} r={3} /><line x1={3} x2={9} y1={12} y2={12} /><line x1={15} x2={21} y1={12} y2={12} />
</>)
export const GitFork = icon(() => <>
  <circle cx={12} cy={18} r={3} /><circle cx={6} cy={6} r={3} /><circle cx={18} cy={6} r={3} />
  <path d='M18 9v2c0 .6-.4 1-1 1H7c-.6 0-1-.4-1-1V9' /><path d='M12 12v3' />
</>)
export const GitPullRequest = icon(() => <>
  <circle cx={18} cy={18} r={3} /><circle cx={6} cy={6} r={3} /><path d='M13 6h3a2 2 0 0 1 2 2v7' />
  <line x1={6} x2={6} y1={9} y2={21} />
</>)
export const Hammer = icon(() => <>
  <path d='m15 12-9.373 9.373a1 1 0 0 1-3.001-3L12 9' /><path d='m18 15 4-4' />
  <path d='m21.5 11.5-1.914-1.914A2 2 0 0 1 19 8.172v-.344a2 2 0 0 0-.586-1.414l-1.657-1.657A6 6 0 0 0 12.516 3
    H9l1.243 1.243A6 6 0 0 1 12 8.485V10l2 2h1.172a2 2 0 0 1 1.414.586L18.5 14.5'
  />
</>)
export const History = icon(() => <>
  <path d='M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8' /><path d='M3 3v5h5' /><path d='M12 7v5l4 2' />
</>)
export const House = icon(() => <>
  <path d='M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8' />
  <path d='M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z' />
</>)
export const Inbox = icon(() => <>
  <polyline points='22 12 16 12 14 15 10 15 8 12 2 12' />
  <path d='M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24
    a2 2 0 0 0-1.79 1.11z'
  />
</>)
export const Info = icon(() => <><circle cx={12} cy={12} r={10} /><path d='M12 16v-4' /><path d='M12 8h.01' /></>)
export const KeyRound = icon(() => <>
  <path d='M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1
    v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z'
  />
  <circle cx={16.5} cy={7.5} r={0.5} fill='currentColor' />
</>)
export const Keyboard = icon(() => <>
  <path d='M10 8h.01' /><path d='M12 12h.01' /><path d='M14 8h.01' /><path d='M16 12h.01' /><path d='M18 8h.01' />
  <path d='M6 8h.01' /><path d='M7 16h10' /><path d='M8 12h.01' /><rect width={20} height={16} x={2} y={4} rx={2} />
</>)
export const LoaderCircle = icon(() => <><path d='M21 12a9 9 0 1 1-6.219-8.56' /></>)
export const Lock = icon(() => <>
  <rect width={18} height={11} x={3} y={11} rx={2} ry={2} /><path d='M7 11V7a5 5 0 0 1 10 0v4' />
</>)
export const LockOpen = icon(() => <>
  <rect width={18} height={11} x={3} y={11} rx={2} ry={2} /><path d='M7 11V7a5 5 0 0 1 9.9-1' />
</>)
export const LogOut = icon(() => <>
  <path d='m16 17 5-5-5-5' /><path d='M21 12H9' /><path d='M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4' />
</>)
export const Menu = icon(() => <><path d='M4 5h16' /><path d='M4 12h16' /><path d='M4 19h16' /></>)
export const MessageSquarePlus = icon(() => <>
  <path d='M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16
    a2 2 0 0 1 2 2z'
  />
  <path d='M12 8v6' /><path d='M9 11h6' />
</>)
export const MessagesSquare = icon(() => <>
  <path d='M16 10a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 14.286V4a2 2 0 0 1 2-2h10
    a2 2 0 0 1 2 2z'
  />
  <path d='M20 9a2 2 0 0 1 2 2v10.286a.71.71 0 0 1-1.212.502l-2.202-2.202A2 2 0 0 0 17.172 19H10a2 2 0 0 1-2-2
    v-1'
  />
</>)
export const Monitor = icon(() => <>
  <rect width={20} height={14} x={2} y={3} rx={2} /><line x1={8} x2={16} y1={21} y2={21} />
  <line x1={12} x2={12} y1={17} y2={21} />
</>)
export const Moon = icon(() => <>
  <path d='M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268
    c.344-.215.825-.004.803.401'
  />
</>)
export const Newspaper = icon(() => <>
  <path d='M15 18h-5' /><path d='M18 14h-8' />
  <path d='M4 22h16a2 2 0 0 0 2-2V4a2 2 0 0 0-2-2H8a2 2 0 0 0-2 2v16a2 2 0 0 1-4 0v-9a2 2 0 0 1 2-2h2' />
  <rect width={8} height={4} x={10} y={6} rx={1} />
</>)
export const NotebookPen = icon(() => <>
  <path d='M13.4 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7.4' /><path d='M2 6h4' />
  <path d='M2 10h4' /><path d='M2 14h4' /><path d='M2 18h4' />
  <path d='M21.378 5.626a1 1 0 1 0-3.004-3.004l-5.01 5.012a2 2 0 0 0-.506.854l-.837 2.87a.5.5 0 0 0 .62.62
    l2.87-.837a2 2 0 0 0 .854-.506z'
  />
</>)
export const Package = icon(() => <>
  <path d='M11 21.73a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8
    v8a2 2 0 0 0 1 1.73z'
  />
  <path d='M12 22V12' /><polyline points='3.29 7 12 12 20.71 7' /><path d='m7.5 4.27 9 5.15' />
</>)
export const PanelLeft = icon(() => <><rect width={18} height={18} x={3} y={3} rx={2} /><path d='M9 3v18' /></>)
export const Pencil = icon(() => <>
  <path d='M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622
    l4.353-1.32a2 2 0 0 0 .83-.497z'
  />
  <path d='m15 5 4 4' />
</>)
export const Play = icon(() => <>
  <path d='M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z' />
</>)
export const Pin = icon(() => <>
  <path d='M12 17v5' />
  <path d='M9 10.76a2 2 0 0 1-1.11 1.79l-1.78.9A2 2 0 0 0 5 15.24V16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-.76
    a2 2 0 0 0-1.11-1.79l-1.78-.9A2 2 0 0 1 15 10.76V7a1 1 0 0 1 1-1 2 2 0 0 0 0-4H8a2 2 0 0 0 0 4 1 1 0 0 1 1 1z'
  />
</>)
export const Plus = icon(() => <><path d='M5 12h14' /><path d='M12 5v14' /></>)
export const Rocket = icon(() => <>
  <path d='M12 15v5s3.03-.55 4-2c1.08-1.62 0-5 0-5' />
  <path d='M4.5 16.5c-1.5 1.26-2 5-2 5s3.74-.5 5-2c.71-.84.7-2.13-.09-2.91a2.18 2.18 0 0 0-2.91-.09' />
  <path d='M9 12a22 22 0 0 1 2-3.95A12.88 12.88 0 0 1 22 2c0 2.72-.78 7.5-6 11a22.4 22.4 0 0 1-4 2z' />
  <path d='M9 12H4s.55-3.03 2-4c1.62-1.08 5 .05 5 .05' />
</>)
export const RotateCw = icon(() => <>
  <path d='M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8' /><path d='M21 3v5h-5' />
</>)
export const Scaling = icon(() => <>
  <path d='M12 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-7' /><path d='M14 15H9v-5' />
  <path d='M16 3h5v5' /><path d='M21 3 9 15' />
</>)
export const ScrollText = icon(() => <>
  <path d='M15 12h-5' /><path d='M15 8h-5' /><path d='M19 17V5a2 2 0 0 0-2-2H4' />
  <path d='M8 21h12a2 2 0 0 0 2-2v-1a1 1 0 0 0-1-1H11a1 1 0 0 0-1 1v1a2 2 0 1 1-4 0V5a2 2 0 1 0-4 0v2
    a1 1 0 0 0 1 1h3'
  />
</>)
export const Search = icon(() => <><path d='m21 21-4.34-4.34' /><circle cx={11} cy={11} r={8} /></>)
export const Send = icon(() => <>
  <path d='M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937
    l7.93 3.18a2 2 0 0 1 1.112 1.11z'
  />
  <path d='m21.854 2.147-10.94 10.939' />
</>)
export const Settings = icon(() => <>
  <path d='M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033
    2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915
    2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033
    2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915'
  />
  <circle cx={12} cy={12} r={3} />
</>)
export const Settings2 = icon(() => <>
  <path d='M14 17H5' /><path d='M19 7h-9' /><circle cx={17} cy={17} r={3} /><circle cx={7} cy={7} r={3} />
</>)
export const ShieldCheck = icon(() => <>
  <path d='M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1
    c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z'
  />
  <path d='m9 12 2 2 4-4' />
</>)
export const ShieldQuestion = icon(() => <>
  <path d='M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1
    c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z'
  />
  <path d='M9.1 9a3 3 0 0 1 5.82 1c0 2-3 3-3 3' /><path d='M12 17h.01' />
</>)
export const Sparkles = icon(() => <>
  <path d='M11.017 2.814a1 1 0 0 1 1.966 0l1.051 5.558a2 2 0 0 0 1.594 1.594l5.558 1.051a1 1 0 0 1 0 1.966
    l-5.558 1.051a2 2 0 0 0-1.594 1.594l-1.051 5.558a1 1 0 0 1-1.966 0l-1.051-5.558
    a2 2 0 0 0-1.594-1.594l-5.558-1.051a1 1 0 0 1 0-1.966l5.558-1.051a2 2 0 0 0 1.594-1.594z'
  />
  <path d='M20 2v4' /><path d='M22 4h-4' /><circle cx={4} cy={20} r={2} />
</>)
export const Square = icon(() => <><rect width={18} height={18} x={3} y={3} rx={2} /></>)
export const Sun = icon(() => <>
  <circle cx={12} cy={12} r={4} /><path d='M12 2v2' /><path d='M12 20v2' /><path d='m4.93 4.93 1.41 1.41' />
  <path d='m17.66 17.66 1.41 1.41' /><path d='M2 12h2' /><path d='M20 12h2' /><path d='m6.34 17.66-1.41 1.41' />
  <path d='m19.07 4.93-1.41 1.41' />
</>)
export const ThumbsDown = icon(() => <>
  <path d='M17 14V2' />
  <path d='M9 18.12 10 14H4.17a2 2 0 0 1-1.92-2.56l2.33-8A2 2 0 0 1 6.5 2H20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.76
    a2 2 0 0 0-1.79 1.11L12 22a3.13 3.13 0 0 1-3-3.88Z'
  />
</>)
export const ThumbsUp = icon(() => <>
  <path d='M7 10v12' />
  <path d='M15 5.88 14 10h5.83a2 2 0 0 1 1.92 2.56l-2.33 8A2 2 0 0 1 17.5 22H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h2.76
    a2 2 0 0 0 1.79-1.11L12 2a3.13 3.13 0 0 1 3 3.88Z'
  />
</>)
export const Trash2 = icon(() => <>
  <path d='M10 11v6' /><path d='M14 11v6' /><path d='M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6' />
  <path d='M3 6h18' /><path d='M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2' />
</>)
export const TriangleAlert = icon(() => <>
  <path d='m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3' /><path d='M12 9v4' />
  <path d='M12 17h.01' />
</>)
export const Users = icon(() => <>
  <path d='M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2' /><path d='M16 3.128a4 4 0 0 1 0 7.744' />
  <path d='M22 21v-2a4 4 0 0 0-3-3.87' /><circle cx={9} cy={7} r={4} />
</>)
export const Paperclip = icon(() => <>
  <path d='m16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551
    a6 6 0 1 0 8.485 8.485l8.379-8.551'
  />
</>)
export const X = icon(() => <><path d='M18 6 6 18' /><path d='m6 6 12 12' /></>)
export const Zap = icon(() => <>
  <path d='M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20
    a1.5 1.5 0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z'
  />
</>)
