/**
 * Draws the node's two icons from one source.
 *
 *     npx gulp icons      (part of `npm run build`)
 *
 * `icons/source.svg` marks every colour as `var(--name, light colour)`. The light icon takes the
 * colours as they stand, the dark one takes those below; both are minified. The results are committed,
 * because n8n's linter looks for them beside the sources, and running the task again changes nothing.
 */
const { Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');
const svgmin = require('gulp-svgmin');

const SOURCE = 'icons/source.svg';
const DARK_COLOURS = { message: '#4cc4dd', glass: '#ffd27a', frame: '#0b2f3a' };

/** Writes one icon, taking each colour from `colours` or, where it names none, from the drawing. */
function drawIcon(fileName, colours) {
	const draw = () => src(SOURCE).pipe(paint(fileName, colours)).pipe(svgmin()).pipe(dest('icons'));
	draw.displayName = fileName;
	return draw;
}

function paint(fileName, colours) {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const painted = file.contents
				.toString()
				.replace(/var\(--(\w+), (#\w+)\)/g, (_, name, drawn) => colours[name] ?? drawn);
			file.contents = Buffer.from(painted);
			file.basename = fileName;
			done(null, file);
		},
	});
}

const icons = parallel(
	drawIcon('lookupMessaging.svg', {}),
	drawIcon('lookupMessaging.dark.svg', DARK_COLOURS),
);

module.exports = { icons, default: icons };
