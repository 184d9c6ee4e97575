/** The part of google-libphonenumber that the generator uses. The package has no types of its own. */
declare module 'google-libphonenumber' {
	export const metadata: unknown;
}
