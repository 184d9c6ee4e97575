/** What a process used, as Linux counts it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second on every platform that Node runs on. */
const TICK_MS = 10;

/** CPU time of the process so far over all its threads, in milliseconds. */
export function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name of the program, in brackets, may hold spaces; user and system time are fields 14 and 15
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory of the process now and at its peak since `resetPeak`, in megabytes (10⁶ bytes). */
export function memory(pid: number): { rssMb: number; peakMb: number } {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const megabytes = (name: string) =>
		(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
	return { rssMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

export function resetPeak(pid: number) {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
