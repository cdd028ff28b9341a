import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program

/// Carries the stores of a home into a commit log, while nothing of the group runs.
///
/// | the process dies | what is left |
/// |---|---|
/// | before the first store is marked | the home as it was, and a log without a commit: the next attempt begins it anew |
/// | before the configuration names the log | stores that nobody opens without it: the next attempt goes on |
/// | later | a home whose every commit is in the log, too |
///
/// No store is marked before all are proven.
struct HomeMove {
    let home: Home
    /// Where the log is, with a group that `carryOut` names.
    let place: Configuration.Store
    /// Takes lines for the operator.
    let report: (String) -> Void
    let crash: CrashSwitch

    /// - Throws: `ConfigurationError` if nothing can be carried; then no store has changed. `SystemFault`.
    func carryOut() throws {
        var configuration = try Configuration(writtenIn: home)
        try check(configuration)
        try home.makeFolders()
        let addresses = ServiceName.allCases.flatMap { service in
            (0..<configuration.partitions).map { PartitionAddress(service, $0) }
        }
        let paths = [home.upLock] + addresses.map { home.store(of: $0) + ".lock" }
        let problem = "is held: the group runs; end it with `counterfoil down`, or stop its services"
        let locks = try HeldLocks(paths, otherwise: problem)
        try withExtendedLifetime(locks) {
            var store = place
            store.group = try identity()
            configuration.store = store
            try carry(addresses, into: store, of: configuration)
            try replaceConfiguration(with: home.encoded(configuration))
        }
    }

    /// Where the file is a link to.
    private var configurationFile: URL { URL(filePath: home.configurationFile).resolvingSymlinksInPath() }

    /// For the same readers.
    private func replaceConfiguration(with bytes: Data) throws {
        let file = configurationFile.path(percentEncoded: false)
        try DurableFile.replace(file, with: bytes, forReadersOf: file) { step in
            if step == .renamed { crash.reach(.moveConfigured) }
        }
    }

    /// Otherwise the last step would fail, behind stores that nobody opens without it.
    private func checkConfigurationIsReplaceable() throws(ConfigurationError) {
        let file = configurationFile
        let folder = file.deletingLastPathComponent().path(percentEncoded: false)
        guard access(folder, W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            let problem = "is to be replaced, and its folder cannot be written: \(reason)"
            throw ConfigurationError(file: file.path(percentEncoded: false), problem: problem)
        }
    }

    /// Refuses a home that has a log.
    static func checkHasNoLog(_ configuration: Configuration, of home: Home) throws(ConfigurationError) {
        guard configuration.store == nil else {
            let problem = "is there already: the stores are copies of a commit log"
            throw ConfigurationError(file: home.configurationFile, member: "store", problem: problem)
        }
    }

    private func check(_ configuration: Configuration) throws(ConfigurationError) {
        try Self.checkHasNoLog(configuration, of: home)
        if let problem = FileAccess.ownershipProblem(home.root) {
            throw ConfigurationError(file: home.root, problem: problem)
        }
        try home.checkSocketPaths(partitions: configuration.partitions)
        try home.checkRestored()
        try home.checkStores(partitions: configuration.partitions)
        try home.checkNoStoreIsMissing(partitions: configuration.partitions)
        try checkConfigurationIsReplaceable()
        guard home.hasStores else {
            let problem = "has no stores yet; make a new home with `counterfoil init --store`"
            throw ConfigurationError(file: home.root, problem: problem)
        }
    }

    /// The same at each attempt, so that the log which an interrupted one has begun is this home's.
    private func identity() throws -> String {
        if let known = home.identity { return known }
        let new = IdentifierSource.eventID().rawValue
        try home.identify(as: new)
        return new
    }

    private func carry(
        _ addresses: [PartitionAddress],
        into store: Configuration.Store,
        of configuration: Configuration
    ) throws {
        let log = try GroupLog(store, of: home)
        try log.make(partitions: configuration.partitions)
        crash.reach(.moveBegun)
        let move = StoreMove(log, of: home, partitions: configuration.partitions, crash: crash)
        var carried: [StoreMove.Carried] = []
        // A partition that never had an owner begins with its log.
        for address in addresses where FileManager.default.fileExists(atPath: home.store(of: address)) {
            let one = try move.carry(address)
            report("\(address): the log makes the same \(one.rows) rows of \(one.tables) tables")
            carried.append(one)
            crash.reach(.moveProven)
        }
        try publishCatalog(GroupCatalog(log, of: home))
        crash.reach(.movePublished)
        for one in carried {
            try move.mark(one)
            crash.reach(.moveMarked)
        }
    }

    private func publishCatalog(_ catalog: GroupCatalog) throws {
        guard let bytes = FileManager.default.contents(atPath: home.loadedCatalogFile) else { return }
        let newest = try catalog.newest()
        guard newest?.bytes != bytes else { return }
        guard try catalog.publish(bytes, after: newest?.number ?? 0) else {
            throw CommandFailure(description: "another host has loaded a catalog into the log just now")
        }
    }
}
