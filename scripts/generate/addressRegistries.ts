/**
 * Rows of IANA's address registries, https://www.iana.org/assignments/<id>. To bring them up to date, compare each registry with
 * its rows here, change the rows and `updated`, and run `npm run generate`.
 */

export interface AddressRegistry {
	/** Its name in the address of its page. */
	id: string;
	/** "Last Updated" of its page; undefined where only rows that stand in an RFC are taken. */
	updated?: string;
	/** A line for each block: the block, its name, and the column that says whether it is in use. No footnotes, no quotation marks. */
	rows: string;
}

export const ADDRESS_REGISTRIES: AddressRegistry[] = [
	// Every row, with Globally Reachable. A terminated row has none.
	{
		id: 'iana-ipv4-special-registry',
		updated: '2025-10-09',
		rows: `
0.0.0.0/8,This network,False
0.0.0.0/32,This host on this network,False
10.0.0.0/8,Private-Use,False
100.64.0.0/10,Shared Address Space,False
127.0.0.0/8,Loopback,False
169.254.0.0/16,Link Local,False
172.16.0.0/12,Private-Use,False
192.0.0.0/24,IETF Protocol Assignments,False
192.0.0.0/29,IPv4 Service Continuity Prefix,False
192.0.0.8/32,IPv4 dummy address,False
192.0.0.9/32,Port Control Protocol Anycast,True
192.0.0.10/32,Traversal Using Relays around NAT Anycast,True
192.0.0.170/32,NAT64/DNS64 Discovery,False
192.0.0.171/32,NAT64/DNS64 Discovery,False
192.0.2.0/24,Documentation (TEST-NET-1),False
192.31.196.0/24,AS112-v4,True
192.52.193.0/24,AMT,True
192.88.99.0/24,Deprecated (6to4 Relay Anycast),
192.88.99.2/32,6a44-relay anycast address,False
192.168.0.0/16,Private-Use,False
192.175.48.0/24,Direct Delegation AS112 Service,True
198.18.0.0/15,Benchmarking,False
198.51.100.0/24,Documentation (TEST-NET-2),False
203.0.113.0/24,Documentation (TEST-NET-3),False
240.0.0.0/4,Reserved,False
255.255.255.255/32,Limited Broadcast,False
`,
	},
	// Likewise.
	{
		id: 'iana-ipv6-special-registry',
		updated: '2025-10-09',
		rows: `
::1/128,Loopback Address,False
::/128,Unspecified Address,False
::ffff:0:0/96,IPv4-mapped Address,False
64:ff9b::/96,IPv4-IPv6 Translat.,True
64:ff9b:1::/48,IPv4-IPv6 Translat.,False
100::/64,Discard-Only Address Block,False
100:0:0:1::/64,Dummy IPv6 Prefix,False
2001::/23,IETF Protocol Assignments,False
2001::/32,TEREDO,N/A
2001:1::1/128,Port Control Protocol Anycast,True
2001:1::2/128,Traversal Using Relays around NAT Anycast,True
2001:1::3/128,DNS-SD Service Registration Protocol Anycast,True
2001:2::/48,Benchmarking,False
2001:3::/32,AMT,True
2001:4:112::/48,AS112-v6,True
2001:10::/28,Deprecated (previously ORCHID),
2001:20::/28,ORCHIDv2,True
2001:30::/28,Drone Remote ID Protocol Entity Tags (DETs) Prefix,True
2001:db8::/32,Documentation,False
2002::/16,6to4,N/A
2620:4f:8000::/48,Direct Delegation AS112 Service,True
3fff::/20,Documentation,False
5f00::/16,Segment Routing (SRv6) SIDs,False
fc00::/7,Unique-Local,False
fe80::/10,Link-Local Unicast,False
`,
	},
	// What the special registry leaves to it: multicast (RFC 5771).
	{
		id: 'ipv4-address-space',
		rows: `
224.0.0.0/4,Multicast,
`,
	},
	// What the other two leave to it: site-local (RFC 3879) and multicast (RFC 4291 §2.7).
	{
		id: 'ipv6-address-space',
		updated: '2025-10-23',
		rows: `
fec0::/10,Site-Local,
ff00::/8,Multicast,
`,
	},
	// Every row with Status ALLOCATED. The rest of 2000::/3 is reserved.
	{
		id: 'ipv6-unicast-address-assignments',
		updated: '2025-10-10',
		rows: `
2001::/23,IANA,ALLOCATED
2001:200::/23,APNIC,ALLOCATED
2001:400::/23,ARIN,ALLOCATED
2001:600::/23,RIPE NCC,ALLOCATED
2001:800::/22,RIPE NCC,ALLOCATED
2001:c00::/23,APNIC,ALLOCATED
2001:e00::/23,APNIC,ALLOCATED
2001:1200::/23,LACNIC,ALLOCATED
2001:1400::/22,RIPE NCC,ALLOCATED
2001:1800::/23,ARIN,ALLOCATED
2001:1a00::/23,RIPE NCC,ALLOCATED
2001:1c00::/22,RIPE NCC,ALLOCATED
2001:2000::/19,RIPE NCC,ALLOCATED
2001:4000::/23,RIPE NCC,ALLOCATED
2001:4200::/23,AFRINIC,ALLOCATED
2001:4400::/23,APNIC,ALLOCATED
2001:4600::/23,RIPE NCC,ALLOCATED
2001:4800::/23,ARIN,ALLOCATED
2001:4a00::/23,RIPE NCC,ALLOCATED
2001:4c00::/23,RIPE NCC,ALLOCATED
2001:5000::/20,RIPE NCC,ALLOCATED
2001:8000::/19,APNIC,ALLOCATED
2001:a000::/20,APNIC,ALLOCATED
2001:b000::/20,APNIC,ALLOCATED
2002::/16,6to4,ALLOCATED
2003::/18,RIPE NCC,ALLOCATED
2400::/12,APNIC,ALLOCATED
2410::/12,APNIC,ALLOCATED
2600::/12,ARIN,ALLOCATED
2610::/23,ARIN,ALLOCATED
2620::/23,ARIN,ALLOCATED
2630::/12,ARIN,ALLOCATED
2800::/12,LACNIC,ALLOCATED
2a00::/12,RIPE NCC,ALLOCATED
2a10::/12,RIPE NCC,ALLOCATED
2c00::/12,AFRINIC,ALLOCATED
`,
	},
];
