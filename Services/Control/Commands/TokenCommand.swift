import ArgumentParser
import Contracts
import Delivery
import Program

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes a token with which a phone acts for one buyer; in test homes only.",
        discussion: """
            A phone sends it as `Authorization: Bearer TOKEN` instead of a key. In production your own server makes \
            such tokens, for whoever is logged in there. It is signed with the first key of HS256 in \
            apps[].phoneTokens.keys, which `counterfoil init --test` writes.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "For whom the phone acts.")
    var buyer: BuyerID

    @Option(help: "The bundle id of the app (default: the first app).")
    var bundleID: BundleID?

    @Option(help: "How long the token can be used.")
    var minutes = 60

    mutating func validate() throws {
        try (1...Int(SignedPhoneToken.longestSeconds / 60)).check(minutes, as: "--minutes")
    }

    func run() throws {
        let home = option.home
        let configuration = try Configuration(writtenIn: home)
        guard home.isTest else {
            let problem =
                "is no home made by `counterfoil init --test`; your own server makes tokens for phones"
            throw ConfigurationError(file: home.root, problem: problem)
        }
        let app = bundleID.map { configuration.app($0) } ?? configuration.apps.first
        guard let app else {
            throw ConfigurationError(file: home.configurationFile, problem: "has no such app")
        }
        let expires = ClockReading.current().now.advanced(by: Int64(minutes) * 60_000)
        let keys = app.phoneTokens?.keys ?? []
        let tokens = keys.lazy.compactMap {
            SignedPhoneToken(of: buyer, in: app.bundleId, until: expires, by: $0)
        }
        guard let token = tokens.first else {
            let problem = "has no key of HS256 in the app's phoneTokens; add one"
            throw ConfigurationError(file: home.configurationFile, problem: problem)
        }
        print(token.text)
    }
}
