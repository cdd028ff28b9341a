import ArgumentParser
import FoundationEssentials
import Program
import ZeroMQ

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Makes and shows the keys with which this host speaks to others.",
        discussion: """
            Each host has keys of its own. Their secret halves are in host.keys of its home, and never leave it; their \
            public halves are in wire.hosts of every host's counterfoil.json. A host uses the first of its keys there \
            of which it holds the secret. To change it, with two keys for a while: `keys make`; add the new key behind \
            the old one on every host, `restart` each; move it to the front on every host, `restart` each; remove the \
            old one on every host, `restart` each.
            """,
        subcommands: [Make.self, Show.self]
    )

    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a pair of keys, keeps its secret half, and prints the public one.",
            discussion: "Nothing changes until the configuration names it."
        )

        @OptionGroup var option: HomeOption

        func run() throws {
            let home = option.home
            _ = try home.contents(ofFile: home.configurationFile)
            if let problem = FileAccess.ownershipProblem(home.root) {
                throw ConfigurationError(file: home.root, problem: problem)
            }
            let pair = try CurveKeyPair.make()
            guard let keys = try HostKeys.existing(in: home).adding(pair) else {
                let problem = "holds \(HostKeys.most) keys; remove those that the configuration does not name"
                throw ConfigurationError(file: home.hostKeysFile, problem: problem)
            }
            try DurableFile.replace(home.hostKeysFile, with: keys.encoded())
            print(pair.publicKey)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the public halves of this host's keys, and which one it uses."
        )

        @OptionGroup var option: HomeOption

        @Flag(help: "Print one JSON object per key.")
        var json = false

        func run() throws {
            let home = option.home
            let wire = try Configuration(writtenIn: home).wire
            let keys = try HostKeys(of: home)
            let rows = keys.pairs.map { KeyRow($0.publicKey, of: keys, in: wire) }
            guard !json else { return try rows.forEach(Terminal.printJSON) }
            let columns: [TextTable.Column<KeyRow>] = [("KEY", \.key), ("STATE", \.state.rawValue)]
            print(TextTable(rows, columns: columns).text)
        }
    }
}
