import icon from '../icon.svg'

export const Logo = ({ size }: { size: number }) => <img src={icon} width={size} height={size} alt='' />
