import Foundation
import Glibc
import Program

/// Asks the running `counterfoil up` of a home.
struct GroupClient {
    let home: Home

    /// What `up` answers; nil when none is running.
    func ask(_ request: GroupRequest) throws -> GroupReply? {
        guard let descriptor = try UnixSocket.connect(to: home.upSocket) else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](try JSONEncoder().encode(request))
        bytes.append(UInt8(ascii: "\n"))
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
        let answer = readToEnd(descriptor)
        return answer.isEmpty ? GroupReply() : try JSONDecoder().decode(GroupReply.self, from: Data(answer))
    }

    private func readToEnd(_ descriptor: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { answer += buffer[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { return answer }
        }
    }
}
