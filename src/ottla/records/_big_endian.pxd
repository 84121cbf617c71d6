# Numbers as Kafka writes them, at any address. Compilers make one load and one swap of these shifts.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t


cdef inline uint16_t load16(const uint8_t* at) noexcept nogil:
    return <uint16_t>((<uint32_t>at[0] << 8) | at[1])


cdef inline uint32_t load32(const uint8_t* at) noexcept nogil:
    return (<uint32_t>at[0] << 24) | (<uint32_t>at[1] << 16) | (<uint32_t>at[2] << 8) | at[3]


cdef inline uint64_t load64(const uint8_t* at) noexcept nogil:
    return (<uint64_t>load32(at) << 32) | load32(at + 4)


cdef inline void store32(uint8_t* at, uint32_t value) noexcept nogil:
    at[0] = <uint8_t>(value >> 24)
    at[1] = <uint8_t>(value >> 16)
    at[2] = <uint8_t>(value >> 8)
    at[3] = <uint8_t>value


cdef inline void store64(uint8_t* at, uint64_t value) noexcept nogil:
    store32(at, <uint32_t>(value >> 32))
    store32(at + 4, <uint32_t>value)
