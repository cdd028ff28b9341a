import Contracts
import Delivery
import Glibc
import ZeroMQ

extension Home {
    /// Sockets in the home's folder, or, where the configuration has `wire`, `tcp://` with this host's key.
    ///
    /// With a log, too, the rows of its owners are followed from now on, by `readings` if the process has some.
    package func wire(
        of configuration: Configuration,
        _ readings: GroupReadings? = nil
    ) throws(ConfigurationError) -> Wire {
        try wire(
            configuration.wire,
            store: configuration.store,
            partitions: configuration.partitions,
            readings
        )
    }

    /// The same of parts of a configuration, such as the running one's.
    package func wire(
        _ wire: Configuration.Wire?,
        store: Configuration.Store?,
        partitions: Int,
        _ readings: GroupReadings? = nil
    ) throws(ConfigurationError) -> Wire {
        guard let wire, let store else { return try self.wire(wire, partitions: partitions) { _ in nil } }
        let owners = try owners(of: store, readings)
        return try self.wire(wire, partitions: partitions) { owners.endpoint(of: $0) }
    }

    private func owners(
        of store: Configuration.Store,
        _ readings: GroupReadings?
    ) throws(ConfigurationError) -> OwnerFollower {
        if let readings { return OwnerFollower(readings) }
        return OwnerFollower(GroupReadings(try GroupLog(store, of: self)))
    }

    private func wire(
        _ wire: Configuration.Wire?,
        partitions: Int,
        owner: @escaping @Sendable (PartitionAddress) -> Endpoint?
    ) throws(ConfigurationError) -> Wire {
        guard let wire else { return Wire(endpoints: endpoints, keys: nil, host: nil) }
        guard let (host, pair) = try HostKeys(of: self).match(in: wire) else {
            let problem =
                "names no host with a key of this one; add what `counterfoil keys show` prints to its keys"
            throw ConfigurationError(file: configurationFile, member: "wire.hosts", problem: problem)
        }
        guard let ports = wire.ports(partitions: partitions) else {
            throw ConfigurationError(
                file: configurationFile,
                member: "wire.basePort",
                problem: Configuration.portsProblem(wire, partitions)
            )
        }
        let keys = wire.hosts.reduce(into: [:]) { keys, host in
            keys[host.address] = host.keys.compactMap(CurvePublicKey.init(_:))
        }
        return Wire(
            endpoints: HostEndpoints(
                address: host.address,
                listening: host.listen ?? host.address,
                ports: ports,
                owner: owner
            ),
            keys: WireKeys(own: pair, hosts: keys),
            host: host.address
        )
    }

    /// Refuses a wire on which this host cannot speak.
    func checkWire(_ configuration: Configuration) throws(ConfigurationError) {
        guard let wire = configuration.wire else { return }
        let own = try self.wire(wire, partitions: configuration.partitions) { _ in nil }
        let member = "wire.hosts"
        if let problem = exposedKeys { throw ConfigurationError(file: hostKeysFile, problem: problem) }
        guard wire.hosts.count == 1 || configuration.store != nil else {
            let problem =
                "names \(wire.hosts.count) hosts, and stores without a log stay on one; leave one, or make a group "
                + "with `counterfoil init --store`"
            throw ConfigurationError(file: configurationFile, member: member, problem: problem)
        }
        let first = own.endpoints.boundEndpoint(of: PartitionAddress(.orders, 0))
        guard case .tcp(let address, _) = first, !ListenAddress(host: address, port: 0).isOfThisMachine
        else { return }
        let problem = "\(address) is no address of this machine; correct it, or add \"listen\""
        throw ConfigurationError(file: configurationFile, member: member, problem: problem)
    }

    /// Nil if nobody but its owner may read the file of this host's keys.
    private var exposedKeys: String? {
        var status = stat()
        guard stat(hostKeysFile, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return "holds secrets, and others may read it (mode \(mode)); chmod 600 \(hostKeysFile)"
    }
}

extension Configuration {
    /// What is said of a base port that leaves too few above it.
    static func portsProblem(_ wire: Wire, _ partitions: Int) -> String {
        let count = ServiceName.allCases.count * partitions
        return "is \(wire.basePort), from which on there are no \(count) ports; at most "
            + "\(Int(UInt16.max) + 1 - count) is possible"
    }
}
