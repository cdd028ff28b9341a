import Contracts
import Testing
import ZeroMQ

@testable import Delivery

@Suite struct FixedPortsTests {
    @Test func `each partition of each service has a port of its own, one after the other`() throws {
        let ports = try #require(FixedPorts(base: 7_400, partitions: 3))
        let all = ServiceName.allCases.flatMap { service in
            (0..<3).map { ports.port(of: PartitionAddress(service, $0)) }
        }
        #expect(all == Array(7_400...7_411))
        #expect(ports.range == 7_400...7_411)
    }

    @Test func `the last port may be the last there is, and none is beyond it`() throws {
        let ports = try #require(FixedPorts(base: 65_528, partitions: 2))
        #expect(ports.port(of: PartitionAddress(.notifications, 1)) == .max)
        #expect(FixedPorts(base: 65_529, partitions: 2) == nil)
        #expect(FixedPorts(base: 0, partitions: 1) == nil)
        #expect(FixedPorts(base: 7_400, partitions: 0) == nil)
    }

    @Test func `a host binds where it listens, announces its address, and asks who owns what`() throws {
        let ports = try #require(FixedPorts(base: 7_400, partitions: 1))
        let (own, foreign) = (PartitionAddress(.orders, 0), PartitionAddress(.receipts, 0))
        let other = Endpoint.tcp(host: "10.0.0.8", port: 7_401)
        let endpoints = HostEndpoints(address: "a.example.com", listening: "10.0.0.7", ports: ports) {
            $0 == foreign ? other : nil
        }
        #expect(endpoints.boundEndpoint(of: own) == .tcp(host: "10.0.0.7", port: 7_400))
        #expect(endpoints.announcedEndpoint(of: own) == .tcp(host: "a.example.com", port: 7_400))
        #expect(endpoints.endpoint(of: own) == endpoints.announcedEndpoint(of: own))
        #expect(endpoints.endpoint(of: foreign) == other)
        #expect(endpoints.boundEndpoint(of: foreign) == .tcp(host: "10.0.0.7", port: 7_401))
    }

    @Test func `a socket of one machine is bound and announced at its path`() {
        let (folder, partition) = (SocketFolder(path: "/run"), PartitionAddress(.orders, 0))
        let endpoint = Endpoint.ipc(path: "/run/orders/0.sock")
        #expect(folder.boundEndpoint(of: partition) == endpoint)
        #expect(folder.announcedEndpoint(of: partition) == endpoint)
    }
}
