import Contracts
package import Delivery
import Glibc
import ZeroMQ

extension Configuration {
    /// How hosts speak to each other; every host of a group has the same.
    package struct Wire: Codable, Hashable, Sendable {
        package static let standardBasePort = 7_400
        private static let mostHosts = 64
        private static let ports = 1_024...Int(UInt16.max)

        /// The first of the group's ports; the same number on every host.
        package var basePort = standardBasePort
        package var hosts: [Host]

        private enum CodingKeys: String, CodingKey, CaseIterable { case basePort, hosts }

        package init(basePort: Int = standardBasePort, hosts: [Host]) {
            self.basePort = basePort
            self.hosts = hosts
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            basePort = try members.optional(.basePort, in: Self.ports) ?? basePort
            hosts = try members.decode([Host].self, forKey: .hosts)
            guard (1...Self.mostHosts).contains(hosts.count) else {
                throw members.fault("must name 1 to \(Self.mostHosts) hosts", at: .hosts)
            }
            guard Set(hosts.map(\.address)).count == hosts.count else {
                throw members.fault("names one address twice; remove one", at: .hosts)
            }
            let keys = hosts.flatMap(\.keys)
            guard Set(keys).count == keys.count else {
                let problem =
                    "gives one key to two hosts, or twice to one; each host has its own, by `counterfoil keys make`"
                throw members.fault(problem, at: .hosts)
            }
        }

        /// The ports of a group with so many partitions a service; nil if there are not so many.
        package func ports(partitions: Int) -> FixedPorts? {
            UInt16(exactly: basePort).flatMap { FixedPorts(base: $0, partitions: partitions) }
        }
    }

    /// One host of the group.
    package struct Host: Codable, Hashable, Sendable {
        /// Two while it changes from one to the other.
        private static let mostKeys = 2

        /// Where others reach it: a name or a numeric address.
        package var address: String
        /// The numeric address at which it listens; nil: `address`.
        package var listen: String?
        /// Its public keys, 40 characters each; it uses the first of which it holds the secret.
        package var keys: [String]

        private enum CodingKeys: String, CodingKey, CaseIterable { case address, listen, keys }

        package init(address: String, listen: String? = nil, keys: [String]) {
            self.address = address
            self.listen = listen
            self.keys = keys
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            address = try members.decode(String.self, forKey: .address)
            listen = try members.optional(.listen)
            keys = try members.decode([String].self, forKey: .keys)
            guard Self.isHost(address), !["0.0.0.0", "::"].contains(address) else {
                let problem = "\"\(address)\" is no host; write a name or an address, such as 10.0.0.7"
                throw members.fault(problem, at: .address)
            }
            guard Self.isNumeric(listen ?? address) else {
                let problem =
                    "\"\(listen ?? address)\" is no numeric address of this host, at which it could listen; add "
                    + "\"listen\", such as 10.0.0.7"
                throw members.fault(problem, at: listen == nil ? .address : .listen)
            }
            guard (1...Self.mostKeys).contains(keys.count) else {
                let problem = "must have one key, or two while the host changes its key"
                throw members.fault(problem, at: .keys)
            }
            if let wrong = keys.firstIndex(where: { CurvePublicKey($0) == nil }) {
                let problem = "is no public key of 40 characters; copy it from `counterfoil keys show`"
                throw decoder.fault(problem, at: .member("keys"), .element(wrong))
            }
        }

        private static func isHost(_ text: String) -> Bool {
            let endpoint = Endpoint.tcp(host: text, port: 1)
            return Endpoint(endpoint.description) == endpoint
        }

        private static func isNumeric(_ text: String) -> Bool {
            var (four, six) = (in_addr(), in6_addr())
            return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
        }
    }
}
