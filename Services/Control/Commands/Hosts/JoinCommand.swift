import ArgumentParser
import Contracts
import Domain
import FoundationEssentials
import Program
import ZeroMQ

struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Makes a home on a further host of a group that has a log.",
        discussion: """
            --from is a folder with the counterfoil.json and catalog.json of a host that is in the group already, and \
            the files that they name (in a group for tests the file test-home, too); without its data, its sockets \
            and its host.keys. This host gets a key of its own and is added to wire.hosts. Then copy the new \
            counterfoil.json to every other host and `restart` each: until then they do not let this one in, and it \
            takes no partition. Hosts join one after the other, each from the file that the one before has made. The \
            stores are made here from the log, as partitions come.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "The folder with another host's configuration.")
    var from: String

    @Option(help: "Where others reach this host: a name, or an address such as 10.0.0.8.")
    var address: String

    @Option(help: "The numeric address at which this host listens, if it is another one.")
    var listen: String?

    func run() throws {
        let (home, source) = (option.home, Home(root: from))
        var configuration = try Self.configuration(of: source)
        guard let store = configuration.store, var wire = configuration.wire else {
            let member = configuration.store == nil ? "store" : "wire"
            throw ConfigurationError(
                file: source.configurationFile,
                member: member,
                problem: "is missing; a group has several hosts if it was made with --store and --wire"
            )
        }
        guard !wire.hosts.contains(where: { $0.address == address }) else {
            throw ConfigurationError(
                file: source.configurationFile,
                member: "wire.hosts",
                problem: "names \(address) already; give this host another address, or remove that one"
            )
        }
        let base = wire
        let pair = try CurveKeyPair.make()
        wire.hosts.append(.init(address: address, listen: listen, keys: [pair.publicKey.description]))
        configuration.wire = wire
        var files = try namedFiles(configuration, in: source)
        files[Home.hostKeysName] = try HostKeys([pair]).encoded()
        let catalog = try Catalog(file: source.catalogFile)
        let initializer = HomeInitializer(home: home, isTest: source.isTest, catalog: catalog)
        try initializer.make(configuration, with: files) {
            let log = try GroupLog(store, of: home)
            try log.check()
            let hosts = JoinedHosts(log)
            try hosts.check(base, besides: address)
            try GroupCatalog(log, of: home).take()
            try hosts.note(wire, with: pair.publicKey, at: address)
        }
        print("made a home at \(home.root), the host \(address) of the group \(store.group)")
        print("next: copy \(home.configurationFile) to the other hosts' homes, `counterfoil restart` each;")
        print("      when all of them run with it, counterfoil check --home \(home.root),")
        print("      then counterfoil up --home \(home.root)")
    }

    /// What only a home for tests may have is refused where the mark of such a home was not copied.
    private static func configuration(of source: Home) throws(ConfigurationError) -> Configuration {
        do throws(ConfigurationError) {
            return try Configuration(writtenIn: source)
        } catch {
            guard !source.isTest, let member = error.member, ["extraRoots", "appStore"].contains(member)
            else { throw error }
            throw ConfigurationError(
                file: source.testMarker,
                problem: "is missing, and \(member) is of a group for tests; copy the file test-home, too"
            )
        }
    }

    /// Those that lie in the folder: what has an absolute path is brought to this host by other means.
    private func namedFiles(_ configuration: Configuration, in source: Home) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for (member, file) in configuration.allFiles where !file.hasPrefix("/") {
            files[file] = try source.contents(ofFile: source.path(file), namedBy: member)
        }
        return files
    }
}
