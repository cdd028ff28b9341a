import Glibc
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// What a program that this process starts would hold when this one has ended, as `swift-backtrace` does after a crash.
@Suite(.timeLimit(.minutes(5))) struct `Programs that a gateway starts` {
    @Test func `inherit neither the socket that listens nor those of phones`() async throws {
        try await TestServer.run { port in
            let phone = try await RawConnection.open(port)
            // The listening socket and the accepted one.
            try await eventually("the phone is accepted", within: .seconds(240)) {
                Self.sockets(at: port).count == 2
            }
            try await eventually("no program inherits a socket", within: .seconds(240)) {
                Self.sockets(at: port).allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC }
            }
            try await phone.close()
        }
    }

    /// The open files that are this side's end of TCP at a port.
    private static func sockets(at port: Int) -> [Int32] {
        // As `sockaddr_in` has it: the family, then the port in the order of the network.
        var address = [UInt16](repeating: 0, count: 64)
        return (0..<4_096).filter { descriptor in
            var length = socklen_t(address.count * 2)
            let code = address.withUnsafeMutableBytes { bytes in
                getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
            }
            return code == 0 && Int32(address[0]) == AF_INET && Int(UInt16(bigEndian: address[1])) == port
        }
    }
}
