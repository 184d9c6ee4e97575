module.exports = async () => await require('./bundle').makeBundles();
