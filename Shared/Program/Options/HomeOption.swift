import ArgumentParser

/// The option that names the home.
package struct HomeOption: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: "The home of the group (default: $COUNTERFOIL_HOME, else ~/.counterfoil/default)."
    )
    var path: String?

    package init() {}

    package var home: Home { Home.resolve(option: path) }
}
